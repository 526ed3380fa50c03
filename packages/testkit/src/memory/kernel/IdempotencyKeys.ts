import { IdempotencyKeyInProgress, IdempotencyKeys, type IdempotencyKeyOwner } from "@parley/domain"
import { Clock, Duration, Effect, HashMap, Layer } from "effect"
import { rowAt } from "../store/State.ts"
import { CurrentUnit, Store, type Unit } from "../store/Store.ts"

const life = Duration.toMillis(Duration.hours(24))

const keyOf = ({ actor, key, organizationId }: IdempotencyKeyOwner) => JSON.stringify([organizationId, actor, key])

export const layer = Layer.effect(
  IdempotencyKeys,
  Effect.map(Store, (store) => {
    const claims = new Map<string, Unit | null>()

    return IdempotencyKeys.of({
      claim: Effect.fnUntraced(function* (owner) {
        const key = keyOf(owner)
        const unit = yield* CurrentUnit
        const now = yield* Clock.currentTimeMillis
        const holder = claims.get(key)
        if (holder === undefined) {
          claims.set(key, unit)
          yield* store.atEnd(() => claims.delete(key))
        }
        // Reads after the claim to include an answer stored just before it.
        const row = yield* store.read((state) => rowAt(state.answers, key))
        if (row !== null && now - row.storedAt < life) return row.answer
        return holder === undefined || holder === unit ? null : yield* new IdempotencyKeyInProgress()
      }),
      store: (owner, answer) =>
        Effect.flatMap(Clock.currentTimeMillis, (storedAt) =>
          store.write((state) => [
            undefined,
            { ...state, answers: HashMap.set(state.answers, keyOf(owner), { answer, storedAt }) }
          ])
        ),
      sweep: (organizationId) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) =>
          store.write((state) => {
            const isOthers = (key: string) => (JSON.parse(key) as ReadonlyArray<string>)[0] !== organizationId
            const answers = HashMap.filter(state.answers, ({ storedAt }, key) => now - storedAt < life || isOthers(key))
            return [HashMap.size(state.answers) - HashMap.size(answers), { ...state, answers }]
          })
        )
    })
  })
)
