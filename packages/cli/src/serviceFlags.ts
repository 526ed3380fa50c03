import { Flag } from "effect/cli"
import { flagOf } from "./parley.ts"

/** Whether a process leaves the database as it is. */
export const noMigrate = Flag.Boolean("no-migrate").pipe(
  Flag.withDescription("Do not bring the database up to date; refuse to start when it is not"),
  Flag.withoutNegation,
  Flag.withDefault(false)
)

/** The flags of whatever works in the background. */
export const workFlags = {
  baseUrl: flagOf("baseUrl"),
  metricsHost: flagOf("metricsHost"),
  metricsPort: flagOf("metricsPort"),
  chatAppId: flagOf("chatAppId"),
  chatSignupConfigId: flagOf("chatSignupConfigId"),
  storeClientId: flagOf("storeClientId"),
  storeScopes: flagOf("storeScopes"),
  mailFrom: flagOf("mailFrom"),
  poolSize: flagOf("poolSize"),
  processes: flagOf("processes"),
  databaseJobSeconds: flagOf("databaseJobSeconds")
}

/** The flags of the commands that run the HTTP service. */
export const serviceFlags = {
  ...workFlags,
  host: flagOf("host"),
  port: flagOf("port"),
  docsUrl: flagOf("docsUrl"),
  corsOrigins: flagOf("corsOrigins"),
  trustedProxyHops: flagOf("trustedProxyHops"),
  tokenPerMinute: flagOf("tokenPerMinute"),
  organizationPerMinute: flagOf("organizationPerMinute"),
  addressPerMinute: flagOf("addressPerMinute"),
  maxBodyBytes: flagOf("maxBodyBytes"),
  maxWebhookBytes: flagOf("maxWebhookBytes"),
  maxImportBytes: flagOf("maxImportBytes"),
  accessLog: flagOf("accessLog"),
  databaseSeconds: flagOf("databaseSeconds"),
  drainSeconds: flagOf("drainSeconds"),
  passwordMinLength: flagOf("passwordMinLength")
}
