"""The construction experiment: strategies compared over a corpus with hidden labels."""

from contextc.experiment.cli import experiment_command

__all__ = ["experiment_command"]
