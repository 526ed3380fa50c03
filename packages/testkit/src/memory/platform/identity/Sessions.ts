import type { SessionId } from "@parley/domain/kernel"
import { type RefreshRotation, Sessions } from "@parley/domain/platform"
import { DateTime, Effect, HashMap, Layer } from "effect"
import { rowAt, type State } from "../../store/State.ts"
import { Store, type Written } from "../../store/Store.ts"

const rotated = (
  state: State,
  digest: string,
  nextDigest: string,
  now: DateTime.Utc
): Written<RefreshRotation, State> => {
  const token = rowAt(state.refreshTokens, digest)
  const row = token === null ? null : rowAt(state.sessions, token.sessionId)
  if (token === null || row === null) return [{ _tag: "Unknown" }, state]
  const { revokedAt, session } = row
  if (revokedAt !== null) return [{ _tag: "Revoked" }, state]
  if (DateTime.isLessThanOrEqualTo(session.expiresAt, now)) return [{ _tag: "Expired" }, state]
  if (token.spentAt !== null) return [{ _tag: "Spent", session, spentAt: token.spentAt }, state]
  const spent = HashMap.set(state.refreshTokens, digest, { ...token, spentAt: now })
  const refreshTokens = HashMap.set(spent, nextDigest, { sessionId: session.id, spentAt: null })
  return [
    { _tag: "Rotated", session },
    { ...state, refreshTokens }
  ]
}

const revoked = (state: State, id: SessionId, now: DateTime.Utc): State => {
  const row = rowAt(state.sessions, id)
  if (row === null || row.revokedAt !== null) return state
  return { ...state, sessions: HashMap.set(state.sessions, id, { ...row, revokedAt: now }) }
}

export const layer = Layer.effect(
  Sessions,
  Effect.map(Store, (store) =>
    Sessions.of({
      insert: (session, refreshDigest) =>
        store.write((state) => [
          undefined,
          {
            ...state,
            sessions: HashMap.set(state.sessions, session.id, { session, revokedAt: null }),
            refreshTokens: HashMap.set(state.refreshTokens, refreshDigest, { sessionId: session.id, spentAt: null })
          }
        ]),
      rotate: (refreshDigest, nextDigest, now) =>
        store.write((state) => rotated(state, refreshDigest, nextDigest, now)),
      revoke: (id, now) => store.write((state) => [undefined, revoked(state, id, now)]),
      revokeAllOf: (userId, except, now) =>
        store.write((state) => {
          const others = HashMap.toValues(state.sessions).filter(
            ({ session }) => session.userId === userId && session.id !== except
          )
          return [undefined, others.reduce((state, { session }) => revoked(state, session.id, now), state)]
        }),
      sweep: Effect.flatMap(DateTime.now, (now) =>
        store.write((state) => {
          const before = DateTime.subtract(now, { days: 1 })
          const sessions = HashMap.filter(state.sessions, ({ session }) =>
            DateTime.isGreaterThan(session.expiresAt, before)
          )
          const refreshTokens = HashMap.filter(state.refreshTokens, ({ sessionId }) => HashMap.has(sessions, sessionId))
          return [HashMap.size(state.sessions) - HashMap.size(sessions), { ...state, refreshTokens, sessions }]
        })
      )
    })
  )
)
