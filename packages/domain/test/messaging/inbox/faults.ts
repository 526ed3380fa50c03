import { Effect } from "effect"

interface Placed {
  readonly _tag: string
  readonly pointer?: string
  readonly errors?: ReadonlyArray<{ readonly pointer: string }>
  readonly reason?: string
}

/** The outcome: `ok`, or the tag of the error and its subject. */
export const whyOf = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.match(effect, {
    onSuccess: () => "ok",
    onFailure: (error: Placed) =>
      [error._tag, error.pointer, error.reason, ...(error.errors ?? []).map(({ pointer }) => pointer)]
        .filter((part) => part !== undefined)
        .join(" ")
  })
