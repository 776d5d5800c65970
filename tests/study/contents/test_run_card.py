"""The run card."""

from gramian.study.contents.run_card import Evaluations


def test_the_run_card_names_the_data_and_the_winner(classes):
    card = classes.run
    assert (card.data.rows, card.data.rows_used, card.data.columns) == (120, 120, 6)
    assert card.data.sheet is None
    assert card.winner == classes.leaderboard[0].name
    assert card.settings["target"] == card.target == "bought"


def test_all_planned_evaluations_were_made(numbers):
    assert numbers.run.evaluations == Evaluations(made=1, planned=1)
    assert numbers.run.complete
