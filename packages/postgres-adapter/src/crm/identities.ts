import type { OrganizationId } from "@parley/domain/kernel"
import {
  type Contact,
  ContactExists,
  type ContactId,
  type IdentityKind,
  identityKey,
  type IdentityRef
} from "@parley/domain/crm"
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"

/** Unique key of an identity, and its contact. */
interface Claim {
  readonly kind: IdentityKind
  readonly key: string
  readonly contactId: ContactId
}

/** Keys of a contact's identities. Identities can share a key, such as two spellings of a number. */
export const claimsOf = ({ id, identities }: Pick<Contact, "id" | "identities">): ReadonlyArray<Claim> => {
  const claims = new Map<string, Claim>()
  for (const { kind, value } of identities) {
    const key = identityKey({ kind, value })
    claims.set(`${kind} ${key}`, { kind, key, contactId: id })
  }
  return [...claims.values()]
}

const nameOf = ({ key, kind }: Pick<Claim, "key" | "kind">) => `${kind} ${key}`

/** Claims of the first contact that the second does not have. */
export const without = (
  claims: ReadonlyArray<Claim>,
  others: ReadonlyArray<Pick<Claim, "key" | "kind">>
): ReadonlyArray<Claim> => {
  const names = new Set(others.map(nameOf))
  return claims.filter((claim) => !names.has(nameOf(claim)))
}

/** Unique identities of contacts. */
export const identities = (sql: SqlClient.SqlClient) => {
  const arrays = (claims: ReadonlyArray<Pick<Claim, "key" | "kind">>) =>
    sql`unnest(${claims.map(({ kind }) => kind)}::text[], ${claims.map(({ key }) => key)}::text[])`

  const clashWithin = (claims: ReadonlyArray<Claim>): ContactExists | null => {
    const seen = new Map<string, Claim>()
    for (const claim of claims) {
      const other = seen.get(nameOf(claim))
      if (other !== undefined) return new ContactExists({ contactId: other.contactId, kind: claim.kind })
      seen.set(nameOf(claim), claim)
    }
    return null
  }

  /** Claims free identities in one order to prevent deadlocks. Returns the claimed ones. */
  const claiming = (organizationId: OrganizationId, claims: ReadonlyArray<Claim>) => sql`
    INSERT INTO contact_identities (organization_id, kind, key, contact_id)
    SELECT ${organizationId}::uuid, kind, key, contact_id
    FROM unnest(${claims.map(({ kind }) => kind)}::text[], ${claims.map(({ key }) => key)}::text[],
      ${claims.map(({ contactId }) => contactId)}::uuid[]) AS claimed (kind, key, contact_id)
    ORDER BY kind COLLATE "C", key COLLATE "C"
    ON CONFLICT DO NOTHING RETURNING kind, key`

  /** Releases the new claims if other contacts own the rest, and returns these contacts. */
  const refuse = Effect.fnUntraced(function* (
    organizationId: OrganizationId,
    claims: ReadonlyArray<Claim>,
    claimed: ReadonlyArray<Pick<Claim, "key" | "kind">>
  ) {
    yield* release(organizationId, claimed)
    const refused = without(claims, claimed)
    const owners = yield* sql<Claim>`
      SELECT i.kind, i.key, i.contact_id AS "contactId" FROM contact_identities AS i
      JOIN ${arrays(refused)} AS wanted (kind, key) ON i.kind = wanted.kind AND i.key = wanted.key
      WHERE i.organization_id = ${organizationId} ORDER BY i.kind, i.key`
    const byName = new Map(owners.map((owner) => [nameOf(owner), owner]))
    const [clash] = refused.flatMap((claim) => byName.get(nameOf(claim)) ?? [])
    return yield* clash === undefined
      ? Effect.die(new Error("An identity was given up while it was claimed."))
      : new ContactExists({ contactId: clash.contactId, kind: clash.kind })
  })

  return {
    clashWithin,
    claiming,
    refuse,
    /** Claims free identities, all or none. */
    claim: Effect.fnUntraced(function* (organizationId: OrganizationId, claims: ReadonlyArray<Claim>) {
      if (claims.length === 0) return
      const within = clashWithin(claims)
      if (within !== null) return yield* within
      const claimed = yield* sql<Pick<Claim, "key" | "kind">>`${claiming(organizationId, claims)}`
      if (claimed.length < claims.length) return yield* refuse(organizationId, claims, claimed)
    }),
    release: (organizationId: OrganizationId, claims: ReadonlyArray<Pick<Claim, "key" | "kind">>) =>
      release(organizationId, claims),
    /** Ids of the contacts with any of these identities. */
    owners: (organizationId: OrganizationId, refs: ReadonlyArray<IdentityRef>) => {
      const [ref, ...others] = refs
      if (ref !== undefined && others.length === 0) {
        return sql`SELECT i.contact_id FROM contact_identities AS i
          WHERE i.organization_id = ${organizationId} AND i.kind = ${ref.kind} AND i.key = ${identityKey(ref)}`
      }
      return sql`
      SELECT i.contact_id FROM ${arrays(refs.map((ref) => ({ kind: ref.kind, key: identityKey(ref) })))} AS wanted (kind, key)
      JOIN contact_identities AS i ON i.organization_id = ${organizationId}
        AND i.kind = wanted.kind COLLATE "C" AND i.key = wanted.key COLLATE "C"`
    }
  }

  function release(
    organizationId: OrganizationId,
    claims: ReadonlyArray<Pick<Claim, "key" | "kind">>
  ): Effect.Effect<void, SqlError.SqlError> {
    return claims.length === 0
      ? Effect.void
      : Effect.asVoid(sql`
          DELETE FROM contact_identities AS i USING ${arrays(claims)} AS given (kind, key)
          WHERE i.organization_id = ${organizationId} AND i.kind = given.kind COLLATE "C" AND i.key = given.key COLLATE "C"`)
  }
}
