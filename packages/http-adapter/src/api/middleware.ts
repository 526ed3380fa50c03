import type { CurrentActor, CurrentOrganization } from "@parley/domain/kernel"
import type { DocsReader as Reader } from "@parley/domain/platform"
import { Context } from "effect"
import { HttpApiMiddleware, HttpApiSecurity, OpenApi } from "effect/http-api"
import * as Problems from "./problems.ts"

const bearer = HttpApiSecurity.bearer.pipe(
  HttpApiSecurity.annotateMerge(
    OpenApi.annotations({
      description:
        "An access token from POST /api/v1/auth/login, or an automation token from POST /api/v1/auth/tokens.",
      format: "JWT"
    })
  )
)

const docsBearer = HttpApiSecurity.bearer.pipe(
  HttpApiSecurity.annotateMerge(
    OpenApi.annotations({ description: "A docs session token from POST /api/v1/docs/exchange.", format: "JWT" })
  )
)

const operatorBearer = HttpApiSecurity.bearer.pipe(
  HttpApiSecurity.annotateMerge(
    OpenApi.annotations({ description: "An operator token from `parley operator token issue`.", format: "JWT" })
  )
)

const tokenProblems = [
  Problems.Unauthenticated,
  Problems.TokenInvalid,
  Problems.TokenExpired,
  Problems.TokenRevoked,
  Problems.PasswordChangeRequired,
  Problems.TooMany
] as const

const organizationProblems = [
  ...tokenProblems,
  Problems.OrganizationHeaderMissing,
  Problems.OrganizationHeaderInvalid,
  Problems.OrganizationForbidden,
  Problems.OrganizationSuspended,
  Problems.FeatureNotInPlan
] as const

/** Turns requests that do not match the contract into `validation_failed`, with every issue and its place. */
export class RequestFaults extends HttpApiMiddleware.Service<RequestFaults>()("@parley/http-adapter/RequestFaults", {
  error: [Problems.ValidationFailed, Problems.TooLarge]
}) {}

/** Answers with `service_unavailable` when the database is away, after one more try where that is safe. */
export class StorageFaults extends HttpApiMiddleware.Service<StorageFaults>()("@parley/http-adapter/StorageFaults", {
  error: [Problems.Unavailable]
}) {}

/** Endpoints that need no token: their rate is limited by the caller's address. */
export class Public extends HttpApiMiddleware.Service<Public>()("@parley/http-adapter/Public", {
  error: [Problems.TooMany]
}) {}

/** Endpoints about the caller's own account: a token, and no organization. */
export class Authenticated extends HttpApiMiddleware.Service<Authenticated, { provides: CurrentActor }>()(
  "@parley/http-adapter/Authenticated",
  {
    security: { bearer },
    error: [...tokenProblems, Problems.OrganizationForbidden, Problems.OrganizationSuspended, Problems.FeatureNotInPlan]
  }
) {}

/** Endpoints that act in the organization of `X-Organization-Id`. */
export class InOrganization extends HttpApiMiddleware.Service<
  InOrganization,
  { provides: CurrentActor | CurrentOrganization }
>()("@parley/http-adapter/InOrganization", { security: { bearer }, error: organizationProblems }) {}

/** The same with an optional header for users with only one organization. */
export class InOnlyOrganization extends HttpApiMiddleware.Service<
  InOnlyOrganization,
  { provides: CurrentActor | CurrentOrganization }
>()("@parley/http-adapter/InOnlyOrganization", { security: { bearer }, error: organizationProblems }) {}

/** Reader of the documentation: user, organization and parent session. */
export class DocsReader extends Context.Service<DocsReader, Reader>()("@parley/http-adapter/DocsReader") {}

/** Endpoints of the documentation site: a docs session, good for nothing else. */
export class WithDocsSession extends HttpApiMiddleware.Service<WithDocsSession, { provides: DocsReader }>()(
  "@parley/http-adapter/WithDocsSession",
  {
    security: { docsBearer },
    error: [...tokenProblems, Problems.OrganizationForbidden]
  }
) {}

/**
 * Endpoints for operator tokens. They do not read `X-Organization-Id`. Where the operators' API is off, they answer like unknown paths.
 */
export class AsOperator extends HttpApiMiddleware.Service<AsOperator, { provides: CurrentActor }>()(
  "@parley/http-adapter/AsOperator",
  {
    security: { operatorBearer },
    error: [
      Problems.Unauthenticated,
      Problems.TokenInvalid,
      Problems.TokenExpired,
      Problems.TokenRevoked,
      Problems.AddressNotAllowed,
      Problems.ScopeDenied,
      Problems.TooMany
    ]
  }
) {}

/** POST endpoints: with an `Idempotency-Key`, a repeated call replays the first answer. */
export class Idempotent extends HttpApiMiddleware.Service<Idempotent>()("@parley/http-adapter/Idempotent", {
  error: [Problems.KeyInvalid, Problems.KeyReused, Problems.KeyInProgress, Problems.AnswerWithdrawn]
}) {}
