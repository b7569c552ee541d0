# SPDX-License-Identifier: GPL-3.0-or-later
"""What is wrong in a document is told, and what is right is not:

    test_check_documents.py PROGRAM ROOT
"""

import pathlib
import re
import subprocess
import sys
import tempfile

try:
    import markdown_it  # noqa: F401
    import yaml  # noqa: F401
except ImportError as error:
    print(f"1..0 # SKIP {error.name} is not installed")
    sys.exit(0)

CHECK = pathlib.Path(__file__).resolve().parent / "check_documents.py"


def console(*lines, mark=""):
    return f"{mark}\n```console\n" + "\n".join(lines) + "\n```\n"


# Name, document, what is said of it; nothing where it is fine.
CASES = [
    ("what_is_printed_is_compared",
     console("$ echo one", "one", "$ printf '1\\n2\\n3\\n'", "1", "…", "3"), None),
    ("a_wrong_output_is_told", console("$ echo 97,700 IOPS", "97,701 IOPS"), "97,700 IOPS"),
    ("an_output_that_ends_early_is_told", console("$ printf '1\\n2\\n'", "1"), "prints"),
    ("an_output_of_which_nothing_came_is_told", console("$ true", "done"), "prints"),
    ("a_command_of_several_lines_is_one", console("$ echo a \\", ">   b", "a b"), None),
    ("an_exit_status_is_told", console("$ aftershock run nothing-like-this"), "exits with 2"),
    ("an_exit_status_may_be_expected",
     console("$ aftershock run nothing-like-this", "…", mark="<!-- exits: 2 -->"), None),
    ("an_expected_exit_status_must_come",
     console("$ true", mark="<!-- exits: 1 -->"), "exits with 0, not 1"),
    ("an_excuse_is_counted", console("$ sbatch it", mark="<!-- not run: needs Slurm -->"), None),
    ("an_excused_command_has_real_options",
     console("$ aftershock run x --wach", mark="<!-- not run: long -->"), "run has no option --wach"),
    ("a_command_in_another_language_is_told",
     "```text\naftershock run 01-one-disk\n```\n", "neither run nor excused"),
    ("a_command_in_an_indented_block_is_run",
     "Do\n\n    aftershock lst\n", "there is no command lst"),
    ("what_an_indented_command_prints_is_no_command",
     "Do\n\n    aftershock --version\n\n    aftershock 0\n", None),
    ("an_indented_session_is_told", "Do\n\n    $ aftershock list\n", "neither run nor excused"),
    ("an_unknown_language_is_told", "```yml\nversion: 1\n```\n", "language yml"),
    ("a_wrong_option_in_a_paragraph_is_told",
     "Say `aftershock run 01-one-disk --dry`.\n", "no option --dry"),
    ("a_wrong_command_in_a_paragraph_is_told", "Say `aftershock walk DIR`.\n", "no command walk"),
    ("a_wrong_name_in_a_paragraph_is_told", "Say `aftershock run 01-one-dsk`.\n", "01-one-dsk"),
    ("a_wrong_key_in_a_paragraph_is_told",
     "`aftershock run 01-one-disk --set run.sed=1`\n", "run.sed"),
    ("a_lone_option_must_exist", "Use `--frobnicate`.\n", "--frobnicate"),
    ("places_in_commands_are_fine",
     "`aftershock run SCENARIO -o DIR`, `run --each-failure`, `--set`\n", None),
    ("wrong_yaml_is_told", "```yaml\nversion: 1\ncluster: {nodse: 4}\n```\n", "nodse"),
    ("a_part_is_put_into_a_scenario", "```yaml\nrequirement: {iops: 4k, read: 3 ms}\n```\n", None),
    ("a_wrong_part_is_told", "```yaml\nrequirement: {iosp: 4k}\n```\n", "iosp"),
    ("a_part_of_a_sweep_is_put_there",
     "<!-- part of: scenarios/sweeps/small.yaml under axes -->\n```yaml\ncluster.nodes: [5, 6]\n```\n", None),
    ("a_wrong_part_of_a_sweep_is_told",
     "<!-- part of: scenarios/sweeps/small.yaml under axes -->\n```yaml\ncluster.nods: [5, 6]\n```\n", "nods"),
    ("a_file_is_there_for_commands",
     "<!-- file: a.txt -->\n```text\nhello\n```\n" + console("$ cat a.txt", "hello"), None),
    ("a_dead_link_is_told", "[there](nowhere.md)\n", "there is no nowhere.md"),
    ("a_missing_picture_is_told", "![there](nowhere.png)\n", "there is no nowhere.png"),
    ("a_dead_anchor_is_told", "# Here\n\n[there](#elsewhere)\n", "no heading for #elsewhere"),
    ("headings_are_anchors", "# 7. What is `it`, really?\n\n[it](#7-what-is-it-really)\n", None),
]


def check(texts, *options):
    """What is said of documents, all at once, by name; what they are after that; the exit status."""
    with tempfile.TemporaryDirectory() as folder:
        files = {name: pathlib.Path(folder) / f"{name}.md" for name in texts}
        for name, file in files.items():
            file.write_text(texts[name])
        done = subprocess.run([sys.executable, CHECK, *sys.argv[1:3], *options, *files.values()],
                              capture_output=True, text=True, check=False)
        return done, {name: file.read_text() for name, file in files.items()}


def complaints_about(name, expected, done):
    """What is wrong with what was said of the document @name."""
    told = "\n".join(re.findall(rf"^# {name}\.md.*(?:\n#   .*)*", done.stderr, re.M))
    passes = re.search(rf"^ok \d+ - {name}\.md$", done.stdout, re.M) is not None
    if expected is None:
        return [] if passes and not told else [told]
    return [] if not passes and expected in told else [f"not told: {expected}", told]


def excuses_are_printed(done):
    said = "not run: sbatch it (needs Slurm)"
    return [] if said in done.stdout and "1 excused" in done.stdout else [done.stdout]


def what_is_printed_can_be_put_in():
    text = console("$ echo new", "old", "$ echo kept", "k…")
    _, after = check({"text": text}, "--write")
    return [] if after["text"] == text.replace("old", "new") else [after["text"]]


def main():
    done, _ = check({name: text for name, text, _ in CASES})
    outcomes = [(name, complaints_about(name, expected, done)) for name, _, expected in CASES]
    outcomes.append(("a_wrong_document_fails_all", [] if done.returncode == 1 else ["it does not"]))
    outcomes.append(("excuses_are_printed", excuses_are_printed(done)))
    outcomes.append(("what_is_printed_can_be_put_in", what_is_printed_can_be_put_in()))
    for number, (name, complaints) in enumerate(outcomes, 1):
        for complaint in complaints:
            print("# " + complaint.replace("\n", "\n# "), file=sys.stderr)
        print(f"{'not ok' if complaints else 'ok'} {number} - {name}")
    print(f"1..{len(outcomes)}")


main()
