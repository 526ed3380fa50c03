import {
  CurrentActor,
  CurrentOrganization,
  CurrentRequest,
  Members,
  nextId,
  type Organization,
  permissionsOfRole,
  SessionId,
  type User
} from "@parley/domain"
import { Effect } from "effect"
import { Refused } from "./console/Failure.ts"
import { userNamed } from "./select.ts"

const actorOf = Effect.fnUntraced(function* (user: User, { slug, status }: Organization) {
  if (status === "suspended") {
    return yield* new Refused({ message: `The organization ${slug} is suspended. To go on: parley org resume ${slug}` })
  }
  if (user.status === "disabled")
    return yield* new Refused({
      message: `The user ${user.email} is disabled. To go on: parley user enable ${user.email}`
    })
  const member = yield* (yield* Members).findByUser(user.id)
  if (member === null) return yield* new Refused({ message: `${user.email} is no member of ${slug}.` })
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
export const asMember = <A, E, R>(organization: Organization, name: string, effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const operator = yield* CurrentActor
    const user = yield* userNamed(name)
    const actor = yield* actorOf(user, organization)
    return yield* effect.pipe(
      Effect.provideService(CurrentActor, actor),
      Effect.provideService(CurrentRequest, { id: operator.kind === "operator" ? `operator:${operator.name}` : null })
    )
  }).pipe(Effect.provideService(CurrentOrganization, { id: organization.id }))
