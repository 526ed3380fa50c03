import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { area, describe } from "./describe.ts"
import { Public } from "./middleware.ts"
import * as Problems from "./problems.ts"

const Jwk = Schema.Struct({
  kty: Schema.String,
  crv: Schema.String,
  x: Schema.String,
  kid: Schema.String,
  alg: Schema.String,
  use: Schema.String
}).annotate({ identifier: "JsonWebKey" })

const Health = Schema.Struct({ status: Schema.Literal("ok") }).annotate({ identifier: "Health" })

const Readiness = Schema.Struct({
  status: Schema.Literal("ok"),
  background: Schema.Literals(["ok", "failing", "off"]).annotate({
    description:
      "Background work of this process: `failing` once a part of it has failed for 10 seconds, `off` if other processes do it."
  })
}).annotate({ identifier: "Readiness" })

/** What operators and other services ask for. */
export class OperationsApi extends HttpApiGroup.make("operations")
  .add(
    HttpApiEndpoint.get("jwks", "/.well-known/jwks.json", {
      success: Schema.Struct({ keys: Schema.Array(Jwk) }).annotate({ identifier: "JsonWebKeySet" })
    })
      .annotateMerge(
        describe(
          "getJsonWebKeys",
          "Read the public keys",
          "Other services verify our tokens with these. Keys rotate without logging anyone out."
        )
      )
      .middleware(Public),
    HttpApiEndpoint.get("health", "/healthz", { success: Health }).annotateMerge(
      describe("getHealth", "Is the process alive", "Answers as long as the process can answer at all.")
    ),
    HttpApiEndpoint.get("ready", "/readyz", { success: Readiness, error: Problems.Unavailable }).annotateMerge(
      describe(
        "getReadiness",
        "Can the process serve",
        "Answers 200 while the database is reachable and the process is not stopping. Otherwise, send calls to another process. Background work that fails does not change the status."
      )
    )
  )
  .annotateMerge(area("Operations", "Health and public keys.")) {}
