# SPDX-License-Identifier: GPL-3.0-or-later
# The files that docs/importing.md imports, as the tests have them.
files=$SOURCE/tests/import/files
mkdir -p 4k-70rdpct output data_Q1_2024
cp "$files/fio-jobs.json" result.json
cp "$files/mixed.fio" randrw.fio
cp "$files/res.txt" 4k-70rdpct/
cp "$files/flatfile.html" output/
for drives in drives-1.csv drives-2.csv; do
    sed 's/ACME X-1/ST12000NM0008/' "$files/$drives" >"data_Q1_2024/$drives"
done
cp "$files/answer.json" .
cp "$files/osd-tree.json" tree.json
cp "$files/osd-df.json" df.json
cp -r "$files/xray" extended_node_failure
