import { NotFound, type UserId, VersionConflict } from "@parley/domain/kernel"
import { Member, MemberExists, type MemberId, Members } from "@parley/domain/platform"
import { Effect, HashMap, Layer } from "effect"
import { ascending } from "../../store/slice.ts"
import { rowAt, type State, type Tenant } from "../../store/State.ts"
import type { MemberRow } from "../state.ts"
import { refuse, Refused, Store } from "../../store/Store.ts"

const noMember = () => new NotFound({ resource: "member" })

const asSeen = (state: State, member: Member): Member => {
  const row = member.userId === null ? null : rowAt(state.users, member.userId)
  return row === null ? member : new Member({ ...member, name: row.user.name })
}

const all = ({ members }: Tenant): ReadonlyArray<Member> => HashMap.toValues(members).map(({ member }) => member)

const byUser = (userId: UserId) => (tenant: Tenant, state: State) => {
  const member = all(tenant).find((member) => member.userId === userId)
  return member === undefined ? null : asSeen(state, member)
}

const withRow = ({ members }: Tenant, row: MemberRow): Partial<Tenant> => ({
  members: HashMap.set(members, row.member.id, row)
})

const stored = (
  { members }: Tenant,
  id: MemberId,
  expected: number | null
): MemberRow | Refused<NotFound | VersionConflict> => {
  const row = rowAt(members, id)
  if (row === null) return refuse(noMember())
  const { version } = row.member
  return expected !== null && expected !== version ? refuse(new VersionConflict({ current: version })) : row
}

export const layer = Layer.effect(
  Members,
  Effect.map(Store, (store) =>
    Members.of({
      get: (id) =>
        Effect.filterOrFail(
          store.readTenant(({ members }, state) => {
            const row = rowAt(members, id)
            return row === null ? null : asSeen(state, row.member)
          }),
          (member) => member !== null,
          noMember
        ),
      findByUser: (userId) => store.readTenant(byUser(userId)),
      findByUsers: (userIds) =>
        store.readTenant((tenant, state) => userIds.flatMap((userId) => byUser(userId)(tenant, state) ?? [])),
      lockByUser: (userId) => Effect.andThen(store.exclusive, store.readTenant(byUser(userId))),
      list: (slice) =>
        store.readTenant((tenant, state) =>
          ascending(all(tenant), ({ id }) => id, slice).map((member) => asSeen(state, member))
        ),
      count: () => store.readTenant(({ members }) => HashMap.size(members)),
      countOwners: () =>
        store.readTenant(
          (tenant) => all(tenant).filter(({ role, status }) => role === "owner" && status === "active").length
        ),
      insert: (member, invitation) =>
        store.writeTenant((tenant) => {
          const { email, userId } = member
          const other = all(tenant).find(
            (other) => other.email === email || (userId !== null && other.userId === userId)
          )
          return other === undefined
            ? [undefined, withRow(tenant, { member, invitation })]
            : refuse(new MemberExists({ memberId: other.id }))
        }),
      setRole: (id, role, expected) =>
        store.writeTenant((tenant, state) => {
          const row = stored(tenant, id, expected)
          if (row instanceof Refused) return row
          const member = new Member({ ...row.member, role, version: row.member.version + 1 })
          return [asSeen(state, member), withRow(tenant, { ...row, member })]
        }),
      join: (id, userId, now) =>
        store.writeTenant((tenant, state) => {
          const row = rowAt(tenant.members, id)
          if (row === null || row.member.status !== "invited") return refuse(noMember())
          const version = row.member.version + 1
          const member = new Member({ ...row.member, userId, status: "active", joinedAt: now, version })
          return [asSeen(state, member), withRow(tenant, { ...row, member, invitation: null })]
        }),
      remove: (id) =>
        store.writeTenant(({ members }) =>
          HashMap.has(members, id) ? [undefined, { members: HashMap.remove(members, id) }] : refuse(noMember())
        )
    })
  )
)
