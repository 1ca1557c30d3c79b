"""`python -m contextc.experiment`: the experiment without the rest of contextc."""

import sys

from contextc.experiment.cli import main

sys.exit(main())
