# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads OpenMetrics text with the parser of Prometheus' own client for Python:

    openmetrics.py FILE

Prints families and samples, or exits with 77 where that parser is not installed.
"""

import sys

try:
    from prometheus_client.openmetrics.parser import text_fd_to_metric_families
except ImportError:
    sys.exit(77)

with open(sys.argv[1], encoding="utf-8", newline="\n") as file:
    for family in text_fd_to_metric_families(file):
        assert family.type == "gauge", family.name
        assert family.documentation, family.name
        for sample in family.samples:
            print(sample.name, sample.labels, sample.value, float(sample.timestamp))
