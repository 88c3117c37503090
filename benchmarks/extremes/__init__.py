"""Extreme legal inputs of every public function, and what must hold of the values there."""
