import { Context, type DateTime, Duration, type Effect } from "effect"
import type { Transaction } from "../../kernel/index.ts"

/** How many addresses of an account are known at once. Each has a slot, and each slot tries of its own. */
export const knownAddressSlots = 3

/** For how long an address is known after the last login from it. */
export const knownAddressLife = Duration.days(90)

/**
 * From where people have logged in. Accounts and addresses are keyed digests, so that the store tells neither. An account
 * that does not exist looks like one that nobody has logged in to.
 */
export class KnownAddresses extends Context.Service<
  KnownAddresses,
  {
    /** The slot of the address, if a login from it succeeded since then; slots count from 0. */
    readonly slotOf: (account: string, address: string, since: DateTime.Utc) => Effect.Effect<number | null>
    /**
     * Notes a login from the address. When every slot is in use, the address seen longest ago is replaced. Notes of one
     * address within an hour may be one.
     */
    readonly note: (account: string, address: string, now: DateTime.Utc) => Effect.Effect<void, never, Transaction>
    /** Forgets every address of the account. */
    readonly forget: (account: string) => Effect.Effect<void, never, Transaction>
    /** Deletes what is not known any more; says how many. */
    readonly sweep: Effect.Effect<number>
  }
>()("@parley/domain/platform/identity/KnownAddresses") {}
