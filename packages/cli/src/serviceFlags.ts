import { flagOf } from "./parley.ts"

/** The flags of the commands that run the HTTP service. */
export const serviceFlags = {
  host: flagOf("host"),
  port: flagOf("port"),
  baseUrl: flagOf("baseUrl"),
  docsUrl: flagOf("docsUrl"),
  corsOrigins: flagOf("corsOrigins"),
  trustedProxyHops: flagOf("trustedProxyHops"),
  tokenPerMinute: flagOf("tokenPerMinute"),
  organizationPerMinute: flagOf("organizationPerMinute"),
  addressPerMinute: flagOf("addressPerMinute"),
  maxBodyBytes: flagOf("maxBodyBytes"),
  maxWebhookBytes: flagOf("maxWebhookBytes"),
  maxImportBytes: flagOf("maxImportBytes"),
  metricsHost: flagOf("metricsHost"),
  metricsPort: flagOf("metricsPort"),
  chatAppId: flagOf("chatAppId"),
  chatSignupConfigId: flagOf("chatSignupConfigId"),
  mailFrom: flagOf("mailFrom"),
  accessLog: flagOf("accessLog"),
  poolSize: flagOf("poolSize"),
  databaseSeconds: flagOf("databaseSeconds"),
  databaseJobSeconds: flagOf("databaseJobSeconds"),
  drainSeconds: flagOf("drainSeconds")
}
