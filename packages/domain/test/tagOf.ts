import { Effect } from "effect"

/** Result: `ok`, or the tag of the error. */
export const tagOf = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.match(effect, { onSuccess: () => "ok", onFailure: ({ _tag }) => _tag })
