import { DateTime, Effect } from "effect"
import {
  CurrentActor,
  nextId,
  PermissionDenied,
  permissionsOf,
  transact,
  useCase,
  UserId
} from "../../../kernel/index.ts"
import { getEntitlements } from "../../entitlements/index.ts"
import { Accounts } from "../Accounts.ts"
import { Organizations } from "../Organization.ts"
import { Sessions } from "../Session.ts"
import { currentUserActor, User, requireUser, Users, type UserStatus } from "../User.ts"
import { recordUserAudit } from "../authorization.ts"
import { checkPassword, PasswordHasher } from "../passwords/PasswordHasher.ts"
import type { OperatorPassword } from "./passwords.ts"

/** User that an operator creates. */
export interface NewUser extends OperatorPassword {
  readonly email: string
  readonly name: string
}

/** Creates a user. The user must replace the password at the first login, unless it is their own. */
export const createUser = useCase(
  { name: "identity.createUser", access: "operator", audit: "user.created" },
  Effect.fnUntraced(function* (input: NewUser) {
    const users = yield* Users
    const { email, isTemporary = true, name, password } = input
    const checked = yield* checkPassword({ password, pointer: "/password", email, name, organizations: [] })
    const hash = yield* (yield* PasswordHasher).hash(checked)
    const now = yield* DateTime.now
    const user = new User({
      id: yield* nextId(UserId),
      email,
      name,
      avatarUrl: null,
      status: "active",
      // The operator vouches for the person.
      emailVerifiedAt: now,
      createdAt: now
    })
    yield* transact(
      Effect.andThen(
        users.insert(user, { hash, mustChange: isTemporary }),
        recordUserAudit(user.id, "user.created", { after: { email: user.email, name: user.name } })
      )
    )
    return user
  })
)

/** Disables a user and ends every session, or enables the user again. */
export const setUserStatus = useCase(
  { name: "identity.setUserStatus", access: "operator", audit: "user.status_changed" },
  Effect.fnUntraced(function* ({ id, status }: { readonly id: UserId; readonly status: UserStatus }) {
    const user = yield* requireUser(id)
    if (user.status === status) return user
    yield* (yield* Users).setStatus(id, status)
    // Enabling also revokes, because a login may have run between the check of the status and its change.
    yield* (yield* Sessions).revokeAllOf(id, null, yield* DateTime.now)
    yield* recordUserAudit(id, "user.status_changed", { before: { status: user.status }, after: { status } })
    return new User({ ...user, status })
  }, transact)
)

/** Reads the current actor: organization, role and plan. */
export const getMe = useCase(
  { name: "identity.getMe", access: { permission: "organization.read" } },
  Effect.fnUntraced(function* () {
    const actor = yield* CurrentActor
    const organization = yield* (yield* Organizations).current()
    if (actor.kind !== "user" && actor.kind !== "token") return yield* new PermissionDenied({ permission: "user" })
    return {
      user: yield* requireUser(actor.kind === "user" ? actor.userId : actor.responsibleUserId),
      organization,
      membership: {
        role: actor.kind === "user" ? actor.role : null,
        permissions: Array.from(permissionsOf(actor))
      },
      entitlements: yield* getEntitlements()
    }
  })
)

/** Lists the organizations that the signed-in person can enter, by name. */
export const listMyOrganizations = useCase(
  { name: "identity.listOrganizations", access: "user" },
  Effect.fnUntraced(function* () {
    const { userId } = yield* currentUserActor
    return yield* (yield* Accounts).affiliations(userId)
  })
)

export const updateMe = useCase(
  { name: "identity.updateMe", access: "user", audit: "user.renamed" },
  Effect.fnUntraced(function* (patch: { readonly name?: string }) {
    const users = yield* Users
    const actor = yield* currentUserActor
    const user = yield* requireUser(actor.userId)
    const { name = user.name } = patch
    if (name === user.name) return user
    yield* users.rename(user.id, name)
    yield* recordUserAudit(user.id, "user.renamed", { before: { name: user.name }, after: { name } })
    return new User({ ...user, name })
  }, transact)
)
