import { Effect, Schema } from "effect"

const isGo = Schema.is(Schema.Struct({ go: Schema.Boolean }))

/** A worker as whoever has started it sees it: it stands ready, is told to begin, and says how much it has done. */
export const worker = {
  untilGo: Effect.callback<void>((resume) => {
    process.on("message", (said) => {
      if (isGo(said)) resume(Effect.void)
    })
    // It never outlives who started it.
    process.once("disconnect", () => process.exit())
    process.send?.({ ready: true })
  }),
  say: (done: number, statements?: number) =>
    void process.send?.({ done, ...(statements !== undefined && { statements }) })
}
