import { IdempotencyKeyInProgress, IdempotencyKeys, type IdempotencyKeyOwner } from "@parley/domain/kernel"
import { Clock, Duration, Effect, HashMap, Layer } from "effect"
import { rowAt, type State } from "../store/State.ts"
import type { AnswerRow } from "./state.ts"
import { CurrentUnit, Store, type Unit } from "../store/Store.ts"

const life = Duration.toMillis(Duration.hours(24))

const keyOf = ({ actor, key, organizationId }: IdempotencyKeyOwner) => JSON.stringify([organizationId, actor, key])

const organizationOf = (key: string) => String((JSON.parse(key) as ReadonlyArray<string>)[0])

const erasuresOf = (state: State, organizationId: string) => rowAt(state.erasures, organizationId) ?? 0

const isWithdrawn = ({ isDeleted, response, seenErasures }: AnswerRow, erasures: number) =>
  isDeleted || (response.mayHoldContactData && erasures > seenErasures)

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
        const { erasures, row } = yield* store.read((state) => ({
          row: rowAt(state.answers, key),
          erasures: erasuresOf(state, owner.organizationId)
        }))
        const seenErasures = String(erasures)
        if (row !== null && now - row.storedAt < life) {
          const { fingerprint, sealedAnswer } = row.response
          return {
            stored: { fingerprint, sealedAnswer: isWithdrawn(row, erasures) ? null : sealedAnswer },
            seenErasures
          }
        }
        return holder === undefined || holder === unit
          ? { stored: null, seenErasures }
          : yield* new IdempotencyKeyInProgress()
      }),
      store: (owner, { seenErasures }, response) =>
        Effect.flatMap(Clock.currentTimeMillis, (storedAt) => {
          const row: AnswerRow = { response, seenErasures: Number(seenErasures), isDeleted: false, storedAt }
          return store.write((state) => [
            undefined,
            { ...state, answers: HashMap.set(state.answers, keyOf(owner), row) }
          ])
        }),
      withdraw: (organizationId) =>
        store.write((state) => [
          undefined,
          {
            ...state,
            erasures: HashMap.set(state.erasures, organizationId, erasuresOf(state, organizationId) + 1)
          }
        ]),
      sweep: (organizationId) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) =>
          store.write((state) => {
            const erasures = erasuresOf(state, organizationId)
            let withdrawn = 0
            const kept = HashMap.map(state.answers, (row, key) => {
              if (organizationOf(key) !== organizationId || row.isDeleted || !isWithdrawn(row, erasures)) return row
              withdrawn += 1
              return { ...row, response: { ...row.response, sealedAnswer: "" }, isDeleted: true }
            })
            const answers = HashMap.filter(
              kept,
              ({ storedAt }, key) => now - storedAt < life || organizationOf(key) !== organizationId
            )
            return [withdrawn + HashMap.size(kept) - HashMap.size(answers), { ...state, answers }]
          })
        )
    })
  })
)
