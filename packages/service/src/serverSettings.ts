import type { ServerSettings } from "@parley/http-adapter/server"
import { addressOf, docsUrlOf, metricsPlaceOf, operatorAddressOf } from "./addresses.ts"
import type { Settings } from "./readSettings.ts"

/** Settings of the HTTP server. */
export const serverSettings = (settings: Settings): ServerSettings => ({
  host: settings.host.value,
  port: settings.port.value,
  baseUrl: addressOf(settings),
  docsUrl: docsUrlOf(settings),
  corsOrigins: settings.corsOrigins.value,
  trustedProxyHops: settings.trustedProxyHops.value,
  rateLimits: {
    tokenPerMinute: settings.tokenPerMinute.value,
    organizationPerMinute: settings.organizationPerMinute.value,
    addressPerMinute: settings.addressPerMinute.value
  },
  maxBodyBytes: settings.maxBodyBytes.value,
  maxWebhookBytes: settings.maxWebhookBytes.value,
  maxImportBytes: settings.maxImportBytes.value,
  databaseMillis: settings.databaseSeconds.value * 1_000,
  accessLog: settings.accessLog.value === "on",
  metricsAt: metricsPlaceOf(settings),
  metricsToken: settings.metricsToken.value,
  operatorApi: settings.operatorApi.value,
  operatorAt: operatorAddressOf(settings)
})
