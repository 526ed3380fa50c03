import type { FastifyReply, FastifyRequest } from "fastify"
import { randomUUID } from "node:crypto"
import type { Pool } from "pg"
import { makeRateCounter, type Standing } from "./RateCounter.ts"
import { remembered } from "./Remembered.ts"
import type { Caller, VerifyToken } from "./verifyToken.ts"

interface Membership {
  readonly user_id: string
  readonly user_status: string
  readonly is_revoked: boolean
  readonly expires_at: Date
  readonly role: string | null
  readonly organization_status: string | null
}

export const uuid = "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$"
const isUuid = new RegExp(uuid)

/** Dependencies of the service. */
export interface AppOptions {
  readonly pool: Pool
  readonly verify: VerifyToken
  /** Cache time of a session's standing; 0 queries the database for each request. */
  readonly standingMillis: number
  readonly limits: { readonly token: number; readonly organization: number }
}

/** The admitted caller, and the organization. */
export interface Admitted extends Caller {
  readonly organizationId: string
}

/** Answers with a problem. */
export const refuse = (reply: FastifyReply, status: number, code: string) =>
  reply
    .code(status)
    .header("content-type", "application/problem+json")
    .send(JSON.stringify({ type: "about:blank", status, code }))

const finish = (reply: FastifyReply, { limit, remaining, resetsInSeconds }: Standing) =>
  reply.headers({
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "cache-control": "no-store",
    ratelimit: `"default";r=${remaining};t=${resetsInSeconds}`,
    "ratelimit-policy": `"default";q=${limit};w=60`,
    "x-request-id": randomUUID()
  })

/** Parley's checks of every request within an organization. Refused callers already have their answer. */
export const makeAdmission = ({ limits, pool, standingMillis, verify }: AppOptions) => {
  const perToken = makeRateCounter(limits.token)
  const perOrganization = makeRateCounter(limits.organization)

  const readMembership = async (key: string) => {
    const { rows } = await pool.query<Membership>({
      name: "membership",
      text: `SELECT s.user_id, u.status AS user_status, s.revoked_at IS NOT NULL AS is_revoked, s.expires_at, m.role,
          o.status AS organization_status
        FROM sessions AS s JOIN users AS u ON u.id = s.user_id
        LEFT JOIN members AS m ON m.organization_id = $1 AND m.user_id = s.user_id AND m.status = 'active'
        LEFT JOIN organizations AS o ON o.id = m.organization_id
        WHERE s.id = $2`,
      values: key.split("/")
    })
    return rows[0]
  }
  const recentMembership = remembered(standingMillis, readMembership)

  return async (
    request: Pick<FastifyRequest, "headers">,
    reply: FastifyReply,
    roles: ReadonlySet<string>
  ): Promise<Admitted | FastifyReply> => {
    const now = Date.now()
    const { authorization } = request.headers
    if (authorization?.startsWith("Bearer ") !== true) return refuse(reply, 401, "unauthenticated")
    const organizationId = request.headers["x-organization-id"]
    if (typeof organizationId !== "string" || !isUuid.test(organizationId)) {
      return refuse(reply, 400, "organization_header_invalid")
    }
    const caller = await Promise.resolve(verify(authorization.slice(7), now)).catch(() => null)
    if (caller === null) return refuse(reply, 401, "token_invalid")
    const byToken = perToken(caller.sessionId, now)
    const byOrganization = perOrganization(organizationId, now)
    if (byToken === null || byOrganization === null) return refuse(reply, 429, "rate_limited")
    finish(reply, byToken.remaining <= byOrganization.remaining ? byToken : byOrganization)

    const key = `${organizationId}/${caller.sessionId}`
    const membership = await (standingMillis > 0 ? recentMembership(key, now) : readMembership(key))
    if (membership === undefined || membership.user_id !== caller.userId) return refuse(reply, 401, "token_invalid")
    if (membership.is_revoked || membership.expires_at.getTime() <= now || membership.user_status !== "active") {
      return refuse(reply, 401, "token_revoked")
    }
    if (membership.role === null) return refuse(reply, 403, "organization_forbidden")
    if (membership.organization_status !== "active") return refuse(reply, 403, "organization_suspended")
    if (!roles.has(membership.role)) return refuse(reply, 403, "permission_denied")
    return { ...caller, organizationId }
  }
}

export type Admit = ReturnType<typeof makeAdmission>

/** Whether the request may go on. */
export const isAdmitted = (admitted: Admitted | FastifyReply): admitted is Admitted => "organizationId" in admitted
