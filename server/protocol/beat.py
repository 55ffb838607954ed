"""How long an answer waits that nobody should learn anything from: a bot's, or one that was ordered."""


def beat(think: float, share: float) -> float:
    """Return the seconds from a question to its answer: `think` and up to half of it more or less.

    `share`, from 0 to 1, is drawn evenly, anew for each question and from nothing else: the wait tells nobody
    how long the choice took, nor whether a bot made it or a person had made it before
    (`server.play.clockwork`).
    """
    return think * (0.5 + share)
