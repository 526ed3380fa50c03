// Asks the provider's own library: it verifies what ours has made, and makes what ours has to verify.
import { LogSeverity, shopifyApi } from "@shopify/shopify-api"
import { createSHA256HMAC } from "@shopify/shopify-api/runtime"
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"

// This import sets the runtime of the library.
await import("@shopify/shopify-api/adapters/node")

const asked = JSON.parse(readFileSync(process.argv[2], "utf8"))
const { app, callbacks, deliveries, redirectUri, scopes, shop, toDeliver, toSign } = asked
const { host, pathname } = new URL(redirectUri)

const library = shopifyApi({
  apiKey: app.clientId,
  apiSecretKey: app.clientSecret,
  scopes,
  hostName: host,
  hostScheme: "https",
  apiVersion: "2026-10",
  isEmbeddedApp: false,
  logger: { level: LogSeverity.Error }
})

const headers = {}
const response = {
  setHeader: (name, value) => {
    headers[name.toLowerCase()] = value
  },
  getHeaders: () => headers,
  writeHead: (_, more) => {
    for (const [name, value] of Object.entries(more ?? {})) headers[name.toLowerCase()] = value
  },
  end: () => undefined
}
await library.auth.begin({
  shop,
  callbackPath: pathname,
  isOnline: false,
  rawRequest: {
    method: "GET",
    url: "/",
    headers: { "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0" }
  },
  rawResponse: response
})

const accepted = async (query) => {
  try {
    return await library.utils.validateHmac(query)
  } catch (error) {
    return String(error)
  }
}

const delivered = async ({ body, headers: sent }) => {
  const { valid } = await library.webhooks.validate({
    rawBody: body,
    rawRequest: { method: "POST", url: "/", headers: sent },
    rawResponse: response
  })
  return valid
}

// The signature of a callback is not among what the library hands out.
const inside = dirname(dirname(createRequire(import.meta.url).resolve("@shopify/shopify-api")))
const validator = join(inside, "..", "esm", "lib", "utils", "hmac-validator.mjs")
const { generateLocalHmac } = await import(pathToFileURL(validator).href)

process.stdout.write(
  JSON.stringify({
    authorizeUrl: headers["location"],
    accepted: await Promise.all(callbacks.map(accepted)),
    delivered: await Promise.all(deliveries.map(delivered)),
    hmac: await generateLocalHmac(library.config)(toSign),
    signature: await createSHA256HMAC(app.clientSecret, toDeliver)
  })
)
