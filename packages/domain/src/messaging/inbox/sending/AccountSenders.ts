import { Context, type DateTime, Effect, Layer } from "effect"
import type { ChatAccountId } from "../../chat/index.ts"
import { type Tenancy, withContext } from "../../../kernel/index.ts"
import type { LaneLease, Turn } from "../../../platform/background/index.ts"
import type { Pace } from "./AccountPaces.ts"

/** What whoever sends over an account is given while this process owns it. */
export interface SendingTurn {
  /** Completes when there may be more to send since it last completed; it may complete for nothing. */
  readonly notification: Turn["notification"]
  /** All who send over the account ask it before each call. */
  readonly pace: Pace
}

/**
 * What another area sends over accounts. It is run by the owner of the account's lane, beside the messages of persons, which go first.
 * It opens the lane (`sendsWork`, the account's id) when there is something to send.
 */
export interface AccountSender<R> {
  readonly name: string
  /**
   * Sends until nothing can be sent now. It is interrupted when the lane goes to another process, or when other accounts wait for a place;
   * what must not be cut off is uninterruptible.
   */
  readonly run: (lane: LaneLease, turn: SendingTurn) => Effect.Effect<void, unknown, R | Tenancy>
  /** When there is something to send over the account again; `null` when there is nothing. */
  readonly nextDue: (id: ChatAccountId) => Effect.Effect<DateTime.Utc | null, never, R | Tenancy>
}

/** Where there is no sender, nothing is needed. */
type NeedsOf<Sender> = Sender extends AccountSender<infer R> ? (unknown extends R ? never : Exclude<R, Tenancy>) : never

/** What other areas send over accounts. */
export class AccountSenders extends Context.Service<AccountSenders, ReadonlyArray<AccountSender<never>>>()(
  "@parley/domain/messaging/inbox/AccountSenders"
) {}

/** Registers these senders. */
export const layerAccountSendersOf = <Sender extends AccountSender<unknown>>(
  senders: ReadonlyArray<Sender>
): Layer.Layer<AccountSenders, never, NeedsOf<Sender>> =>
  Layer.effect(
    AccountSenders,
    Effect.contextWith((outside: Context.Context<NeedsOf<Sender>>) => {
      const within = withContext<Tenancy>(outside)
      return Effect.succeed(
        senders.map(({ name, nextDue, run }): AccountSender<never> => ({
          name,
          run: (lane, turn) => within(run(lane, turn)),
          nextDue: (id) => within(nextDue(id))
        }))
      )
    })
  )
