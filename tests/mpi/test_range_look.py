"""A bound that is a part of the range of values: what goes the quickest as it is is not looked at
for its range again and again, unless messages are predicted from earlier ones."""

import re

from harness import Part

# Where noise does not pay, and zeros do.
SETTINGS = {
    "host-ranks": "1",
    "point-to-point": "on",
    "link": "8G",
    "error-bound": "rel:1e-6",
}
MESSAGES = 40
LEFT_ALONE = 16


def compressed(family, **settings):
    program = [str(family.program("becomes_smooth"))]
    outcome = family.run(Part(2, program, family.preload(SETTINGS | settings))).must_succeed()
    found = re.search(rf"compressed (\d+) of {MESSAGES}", outcome.stdout)
    assert found, str(outcome)
    return int(found[1])


def test_after_one_that_does_not_pay_some_are_not_looked_at(family):
    """So it is found late that they have become others."""
    most = MESSAGES - 1 - LEFT_ALONE
    assert 16 <= compressed(family, history="off") <= most
    assert compressed(family, history="off", **{"error-bound": "1e-6"}) == 0, "one estimate for all"


def test_what_may_be_predicted_is_looked_at(family):
    assert compressed(family, history="auto") > MESSAGES - 1 - LEFT_ALONE
