"""The delay of decisions whose timing should reveal nothing: a bot's, or one ordered in advance."""


def beat(think: float, share: float) -> float:
    """Return the seconds from a prompt to its decision: between 0.5 and 1.5 times `think`.

    `share`, from 0 to 1, is drawn uniformly for each prompt and depends on nothing else, so that the delay
    does not reveal how long the choice took, nor whether a bot made it or a person had ordered it
    (`server.play.clockwork`).
    """
    return think * (0.5 + share)
