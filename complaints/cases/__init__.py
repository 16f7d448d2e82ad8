"""The rider's case: filing, history, proof, terms."""
