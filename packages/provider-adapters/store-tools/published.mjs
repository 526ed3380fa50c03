// Reads the schema that the provider publishes for a version.
import { buildClientSchema } from "graphql"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { gunzipSync } from "node:zlib"

export const publishedSchema = (apiVersion) => {
  const file = fileURLToPath(
    new URL(`node_modules/@shopify/dev-mcp/dist/data/admin_${apiVersion}.json.gz`, import.meta.url)
  )
  // It has types without fields, which the language does not allow.
  return buildClientSchema(JSON.parse(gunzipSync(readFileSync(file)).toString()).data, { assumeValid: true })
}
