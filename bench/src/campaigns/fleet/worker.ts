import { Effect, Schema } from "effect"

const isGo = Schema.is(Schema.Struct({ go: Schema.Boolean }))

/** A worker as its parent sees it: it reports that it is ready, starts on a signal, and reports its progress. */
export const worker = {
  untilGo: Effect.callback<void>((resume) => {
    process.on("message", (input) => {
      if (isGo(input)) resume(Effect.void)
    })
    // It never outlives its parent process.
    process.once("disconnect", () => process.exit())
    process.send?.({ ready: true })
  }),
  say: (done: number, statements?: number) =>
    void process.send?.({ done, ...(statements !== undefined && { statements }) })
}
