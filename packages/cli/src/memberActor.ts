import { CurrentActor, CurrentRequest, Members, nextId, permissionsOfRole, SessionId, type User } from "@parley/domain"
import { Effect } from "effect"
import { Refused } from "./console/Failure.ts"
import { inOrganization, organizationNamed, userNamed } from "./select.ts"

const actorOf = Effect.fnUntraced(function* (user: User, organization: string) {
  const { status } = yield* organizationNamed(organization)
  if (status === "suspended") return yield* new Refused({ message: `The organization ${organization} is suspended.` })
  if (user.status === "disabled") return yield* new Refused({ message: `The user ${user.email} is disabled.` })
  const member = yield* (yield* Members).findByUser(user.id)
  if (member === null) return yield* new Refused({ message: `${user.email} is no member of ${organization}.` })
  return {
    kind: "user",
    userId: user.id,
    sessionId: yield* nextId(SessionId),
    role: member.role,
    permissions: permissionsOfRole(member.role)
  } as const
})

/**
 * Runs the effect inside an organization as one of its members, with what their role allows: some things can only be
 * done by a person. The audit trail names the operator in the place of the request.
 */
export const asMember = <A, E, R>(organization: string, name: string, effect: Effect.Effect<A, E, R>) =>
  inOrganization(
    organization,
    Effect.gen(function* () {
      const operator = yield* CurrentActor
      const user = yield* userNamed(name)
      const actor = yield* actorOf(user, organization)
      return yield* effect.pipe(
        Effect.provideService(CurrentActor, actor),
        Effect.provideService(CurrentRequest, { id: operator.kind === "operator" ? `operator:${operator.name}` : null })
      )
    })
  )
