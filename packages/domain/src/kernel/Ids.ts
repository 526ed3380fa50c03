import { Context, Effect, type Redacted } from "effect"

/** Makes the identifiers and the secrets of the domain. */
export class Ids extends Context.Service<
  Ids,
  {
    /** A UUIDv7: later ones sort after earlier ones. */
    readonly next: Effect.Effect<string>
    /** A base64url text of this many random bytes. */
    readonly secret: (bytes: number) => Effect.Effect<Redacted.Redacted>
    /** A UUIDv5: always the same of this name in the namespace, which is a UUID. */
    readonly derived: (namespace: string, name: string) => Effect.Effect<string>
  }
>()("@parley/domain/kernel/Ids") {}

/** The next id of one kind: `yield* nextId(MemberId)`. */
export const nextId = <Id>(kind: { readonly make: (value: string) => Id }) =>
  Effect.flatMap(Ids, (ids) => Effect.map(ids.next, (value) => kind.make(value)))
