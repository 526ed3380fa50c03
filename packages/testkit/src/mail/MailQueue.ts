import { type MailLease, MailQueue } from "@parley/domain"
import { DateTime, Effect, Layer } from "effect"
import type { MailRow, State } from "../store/State.ts"
import { Store, type Written } from "../store/Store.ts"

const isOf =
  ({ attempts, mailId, sender }: MailLease) =>
  (row: MailRow) =>
    row.mailId === mailId && row.sender === sender && row.attempts === attempts

const underLease =
  (lease: MailLease, change: (row: MailRow) => ReadonlyArray<MailRow>) =>
  (state: State): Written<boolean, State> =>
    state.mails.some(isOf(lease))
      ? [true, { ...state, mails: state.mails.flatMap((row) => (isOf(lease)(row) ? change(row) : [row])) }]
      : [false, state]

const byTime = (one: MailRow, other: MailRow) => DateTime.Order(one.runnableAt, other.runnableAt)

export const layer = Layer.effect(
  MailQueue,
  Effect.map(Store, (store) =>
    MailQueue.of({
      enqueue: ({ expiresAt, mailId, now, sealedMail }) =>
        store.write((state) => [
          undefined,
          {
            ...state,
            mails: [...state.mails, { mailId, sealedMail, expiresAt, attempts: 0, sender: null, runnableAt: now }]
          }
        ]),
      claim: ({ limit, now, sender, until }) =>
        store.write((state) => {
          const claimed = new Map(
            state.mails
              .filter(({ runnableAt }) => DateTime.isLessThanOrEqualTo(runnableAt, now))
              .toSorted(byTime)
              .slice(0, limit)
              .map((row) => [row.mailId, { ...row, sender, attempts: row.attempts + 1, runnableAt: until }])
          )
          return [
            Array.from(claimed.values(), ({ attempts, expiresAt, mailId, sealedMail }) => ({
              mailId,
              sealedMail,
              expiresAt,
              sender,
              attempts
            })),
            { ...state, mails: state.mails.map((row) => claimed.get(row.mailId) ?? row) }
          ]
        }),
      settle: (lease) => store.write(underLease(lease, () => [])),
      postpone: (lease, until) =>
        store.write(underLease(lease, (row) => [{ ...row, sender: null, runnableAt: until }])),
      nextDue: store.read(({ mails }) => mails.toSorted(byTime)[0]?.runnableAt ?? null),
      awaitNews: store.awaitMails,
      sweep: Effect.flatMap(DateTime.now, (now) =>
        store.write((state) => {
          const mails = state.mails.filter(({ expiresAt }) => DateTime.isGreaterThan(expiresAt, now))
          return [state.mails.length - mails.length, { ...state, mails }]
        })
      )
    })
  )
)
