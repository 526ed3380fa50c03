import { NotFound } from "@parley/domain/kernel"
import { Availabilities, Availability, type MemberId } from "@parley/domain/platform"
import { Effect, HashMap, Layer } from "effect"
import { rowAt } from "../../store/State.ts"
import { refuse, Store } from "../../store/Store.ts"

const noMember = () => new NotFound({ resource: "member" })

export const layer = Layer.effect(
  Availabilities,
  Effect.map(Store, (store) => {
    const get = (id: MemberId) =>
      Effect.filterOrFail(
        store.readTenant(({ members }) => {
          const row = rowAt(members, id)
          return row === null ? null : (row.availability ?? new Availability({}))
        }),
        (availability) => availability !== null,
        noMember
      )
    return Availabilities.of({
      get,
      lock: (id) => Effect.andThen(store.exclusive, get(id)),
      save: (id, availability) =>
        store.writeTenant(({ members }) => {
          const row = rowAt(members, id)
          return row === null
            ? refuse(noMember())
            : [undefined, { members: HashMap.set(members, id, { ...row, availability }) }]
        })
    })
  })
)
