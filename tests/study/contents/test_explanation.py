"""The explanation of the best model."""

from gramian.study.contents.explanation import Coefficients, TreeRules


def test_a_tree_has_rules_and_a_linear_model_coefficients(numbers, tree):
    assert isinstance(numbers.coefficients, Coefficients)
    assert numbers.structure is None
    assert isinstance(tree.structure, TreeRules)
    assert tree.coefficients is None


def test_the_leaves_are_those_below_the_root(tree):
    def leaves(node):
        return node.hidden or sum(map(leaves, node.children)) or 1

    assert leaves(tree.structure.root) == tree.structure.leaves
    assert tree.structure.root.rule is None


def test_effects_are_numbers_or_one_for_each_class(classes, numbers):
    for effect in classes.effects:
        assert all(len(means) == 2 for means in effect.means)
    for effect in numbers.effects:
        assert all(isinstance(mean, float) for mean in effect.means)
        assert len(effect.values) == len(effect.means)
