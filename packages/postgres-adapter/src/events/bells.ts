import { Effect, Latch } from "effect"

const names = ["mails"] as const

/** What those who work in the background can be woken for. */
export type Bell = (typeof names)[number]

const prefix = "bell:"

/** The bells of this process, and how their names are told to others. */
export const makeBells = () => {
  const latches = new Map(names.map((name) => [name, Latch.makeUnsafe()]))
  const ringHere = (bell: Bell) => latches.get(bell)?.openUnsafe()

  return {
    ringHere,
    ringAllHere: () => names.forEach(ringHere),
    told: (bell: Bell) => prefix + bell,
    /** Rings the bell that another process tells of; whatever else it tells is left alone. */
    heard: (payload: string) => {
      const bell = names.find((name) => payload === prefix + name)
      if (bell !== undefined) ringHere(bell)
    },
    /** Answers when the bell has rung since it last answered. */
    wait: (bell: Bell): Effect.Effect<void> => {
      const latch = latches.get(bell)
      return latch === undefined ? Effect.never : Effect.andThen(latch.await, latch.close)
    }
  }
}
