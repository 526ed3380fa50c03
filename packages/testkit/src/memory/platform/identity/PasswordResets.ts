import { PasswordResets } from "@parley/domain/platform"
import { DateTime, Effect, HashMap, Layer } from "effect"
import { rowAt, type State } from "../../store/State.ts"
import { Store } from "../../store/Store.ts"

const find = (state: State, digest: string, now: DateTime.Utc) => {
  const row = rowAt(state.passwordResets, digest)
  return row === null || DateTime.isLessThanOrEqualTo(row.expiresAt, now) ? null : row.email
}

const without = (state: State, mailbox: string): State => ({
  ...state,
  passwordResets: HashMap.filter(state.passwordResets, ({ email }) => email !== mailbox)
})

export const layer = Layer.effect(
  PasswordResets,
  Effect.map(Store, (store) =>
    PasswordResets.of({
      replace: (digest, email, expiresAt) =>
        store.write((state) => {
          const { passwordResets, ...others } = without(state, email)
          return [undefined, { ...others, passwordResets: HashMap.set(passwordResets, digest, { email, expiresAt }) }]
        }),
      find: (digest, now) => store.read((state) => find(state, digest, now)),
      spend: (digest, now) =>
        store.write((state) => {
          const email = find(state, digest, now)
          return [email, email === null ? state : without(state, email)]
        }),
      withdraw: (email) => store.write((state) => [undefined, without(state, email)]),
      sweep: Effect.flatMap(DateTime.now, (now) =>
        store.write((state) => {
          const passwordResets = HashMap.filter(state.passwordResets, ({ expiresAt }) =>
            DateTime.isGreaterThan(expiresAt, now)
          )
          return [HashMap.size(state.passwordResets) - HashMap.size(passwordResets), { ...state, passwordResets }]
        })
      )
    })
  )
)
