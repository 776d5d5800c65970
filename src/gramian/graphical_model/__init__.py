"""Graphical models: directed graphs, Bayesian networks and Markov chains."""

from gramian.graphical_model.bayesian_network import BayesianNetwork
from gramian.graphical_model.directed_graph import DirectedGraph
from gramian.graphical_model.markov_chain import MarkovChain

__all__ = ["BayesianNetwork", "DirectedGraph", "MarkovChain"]
