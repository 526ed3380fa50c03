import { EmailQueue } from "@parley/domain/platform"
import { DateTime, Effect, Layer } from "effect"
import { Store } from "../../store/Store.ts"

export const layer = Layer.effect(
  EmailQueue,
  Effect.map(Store, (store) =>
    EmailQueue.of({
      enqueue: (mail) =>
        store.write((state) => [undefined, { ...state, mails: [...state.mails, { ...mail, attempts: 0 }] }]),
      find: (id) => store.read(({ mails }) => mails.find(({ mailId }) => mailId === id) ?? null),
      countAttempt: (id) =>
        store.write((state) => {
          const mails = state.mails.map((row) => (row.mailId === id ? { ...row, attempts: row.attempts + 1 } : row))
          return [undefined, { ...state, mails }]
        }),
      remove: (id) =>
        store.write((state) => [undefined, { ...state, mails: state.mails.filter(({ mailId }) => mailId !== id) }]),
      sweep: Effect.flatMap(DateTime.now, (now) =>
        store.write((state) => {
          const mails = state.mails.filter(({ expiresAt }) => DateTime.isGreaterThan(expiresAt, now))
          return [state.mails.length - mails.length, { ...state, mails }]
        })
      )
    })
  )
)
