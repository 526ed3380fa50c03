import type { UserId } from "@parley/domain/kernel"
import { EmailTaken, type NewPasswordHash, User, Users } from "@parley/domain/platform"
import { Effect, HashMap, Layer } from "effect"
import { ascending } from "../../store/slice.ts"
import { rowAt, type State } from "../../store/State.ts"
import type { UserRow } from "../state.ts"
import { refuse, Store, type Written } from "../../store/Store.ts"

const byEmail = (state: State, email: string): UserRow | null => {
  const id = rowAt(state.userIds, email)
  return id === null ? null : rowAt(state.users, id)
}

const inserted = (state: State, user: User, { hash, mustChange }: NewPasswordHash): State => ({
  ...state,
  users: HashMap.set(state.users, user.id, { user, passwordHash: hash, mustChangePassword: mustChange }),
  userIds: HashMap.set(state.userIds, user.email, user.id)
})

const changed = (state: State, id: UserId, change: (row: UserRow) => UserRow): Written<void, State> => {
  const row = rowAt(state.users, id)
  return [undefined, row === null ? state : { ...state, users: HashMap.set(state.users, id, change(row)) }]
}

export const layer = Layer.effect(
  Users,
  Effect.map(Store, (store) =>
    Users.of({
      find: (id) => store.read((state) => rowAt(state.users, id)?.user ?? null),
      credentialsByEmail: (email) => store.read((state) => byEmail(state, email)),
      credentialsById: (id) => store.read((state) => rowAt(state.users, id)),
      lockCredentials: (id) =>
        Effect.andThen(
          store.exclusive,
          store.read((state) => rowAt(state.users, id))
        ),
      list: ({ after, limit }) =>
        store.read((state) =>
          ascending(
            HashMap.toValues(state.users).map(({ user }) => user),
            ({ id }) => id,
            { limit, after: after === null ? null : [after] }
          )
        ),
      insert: (user, password) =>
        store.write((state) =>
          byEmail(state, user.email) === null
            ? [undefined, inserted(state, user, password)]
            : refuse(new EmailTaken({ email: user.email }))
        ),
      rename: (id, name) =>
        store.write((state) => changed(state, id, (row) => ({ ...row, user: new User({ ...row.user, name }) }))),
      setStatus: (id, status) =>
        store.write((state) => changed(state, id, (row) => ({ ...row, user: new User({ ...row.user, status }) }))),
      setPassword: (id, { hash, mustChange }) =>
        store.write((state) =>
          changed(state, id, (row) => ({ ...row, passwordHash: hash, mustChangePassword: mustChange }))
        ),
      setPasswordHash: (id, passwordHash) =>
        store.write((state) => changed(state, id, (row) => ({ ...row, passwordHash }))),
      requirePasswordChange: (id) =>
        store.write((state) => changed(state, id, (row) => ({ ...row, mustChangePassword: true }))),
      verifyEmail: (id, at) =>
        store.write((state) =>
          changed(state, id, (row) => ({
            ...row,
            user: new User({ ...row.user, emailVerifiedAt: row.user.emailVerifiedAt ?? at })
          }))
        )
    })
  )
)
