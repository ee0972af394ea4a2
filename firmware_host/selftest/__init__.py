"""What a builder is asked to do, and what is concluded from what moves: levels and times in, verdicts out."""
