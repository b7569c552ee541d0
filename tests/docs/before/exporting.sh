# SPDX-License-Identifier: GPL-3.0-or-later
# The result that docs/exporting.md exports.
aftershock run 05-host-failure --fidelity sampled -o results/raid5
