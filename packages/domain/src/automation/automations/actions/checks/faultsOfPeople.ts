import { Effect } from "effect"
import { Members, permissionsOfRole } from "../../../../platform/identity/index.ts"
import type { Fault, Permission, UserId } from "../../../../kernel/index.ts"

/** Which of these people are no members here who may do this. */
export const faultsOfPeople = Effect.fnUntraced(function* (
  people: ReadonlyArray<readonly [id: UserId, pointer: string]>,
  permission: Permission
) {
  if (people.length === 0) return []
  const members = yield* (yield* Members).findByUsers(people.map(([id]) => id))
  const fit = new Set(
    members
      .filter(({ role, status }) => status === "active" && permissionsOfRole(role).has(permission))
      .map(({ userId }) => userId)
  )
  return people
    .filter(([id]) => !fit.has(id))
    .map(([, pointer]): Fault => ({ pointer, message: `There is no member with this id who has ${permission}` }))
})
