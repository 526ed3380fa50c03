import { Context, type DateTime, type Effect } from "effect"
import type { TenantScoped, Transaction } from "../kernel/index.ts"

/** An opt-out that outlives its contact: a digest that nobody can be known by, and when the opt-out was said. */
export interface Suppression {
  readonly digest: string
  readonly at: DateTime.Utc
}

/** The suppression list of the organization: whose opt-outs are kept, whether or not there is a contact of theirs. */
export class Suppressions extends Context.Service<
  Suppressions,
  TenantScoped<{
    /** The key that the digests are made with, sealed; `null` until one is kept. */
    readonly key: () => Effect.Effect<string | null>
    /** Keeps a key unless there is one already; says which one is kept. */
    readonly keepKey: (sealed: string) => Effect.Effect<string, never, Transaction>
    /** Puts the same key, sealed anew, in the place of the one that is kept. */
    readonly resealKey: (sealed: string) => Effect.Effect<void, never, Transaction>
    /** Those of these digests that are on the list, in no order. */
    readonly find: (digests: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<Suppression>>
    /** Puts digests on the list. Of one that is there already, the later time stands. */
    readonly add: (suppressions: ReadonlyArray<Suppression>) => Effect.Effect<void, never, Transaction>
    /** Takes digests off the list. */
    readonly remove: (digests: ReadonlyArray<string>) => Effect.Effect<void, never, Transaction>
  }>
>()("@parley/domain/crm/Suppressions") {}
