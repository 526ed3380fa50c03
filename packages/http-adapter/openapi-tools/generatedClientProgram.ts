/** A user's program with types generated from the document: it logs in, creates an automation and distinguishes errors. */
export const generatedClientProgram = `
import createClient from "openapi-fetch"
import type { components, paths } from "./schema.d.ts"

const [baseUrl = "", email = "", password = ""] = process.argv.slice(2)
const client = createClient<paths>({ baseUrl })

const login = await client.POST("/api/v1/auth/login", { body: { email, password } })
if (login.error !== undefined) {
  throw new Error(login.error.code)
}
const organization = login.data.organizations[0]
if (organization === undefined) throw new Error("a member of nothing")
const role: "owner" | "admin" | "agent" | "viewer" = organization.role

client.use({
  onRequest: ({ request }) => {
    request.headers.set("Authorization", \`Bearer \${login.data.accessToken}\`)
    return request
  }
})

const inOrganization = { "X-Organization-Id": organization.id }

const create = async (name: string) => {
  const { data, error } = await client.POST("/api/v1/automations", {
    params: { header: { ...inOrganization, "Idempotency-Key": crypto.randomUUID() } },
    body: { name }
  })
  if (error === undefined) {
    const automation: components["schemas"]["Automation"] = data
    return \`created \${automation.name}, enabled: \${automation.enabled}\`
  }
  switch (error.code) {
    case "feature_not_in_plan":
      return \`needs the plan \${error.availableIn.join(" or ")}, has \${error.plan}\`
    case "validation_failed":
      return error.errors.map((fault) => fault.pointer).join(", ")
    default: {
      // @ts-expect-error Only some errors say which plans have the feature.
      error.availableIn
      return error.code
    }
  }
}

// @ts-expect-error The organization is not optional.
void (() => client.GET("/api/v1/members", { params: { header: {} } }))

const members = await client.GET("/api/v1/members", { params: { header: inOrganization, query: { limit: 5 } } })

console.log(JSON.stringify([role, await create("Thank customers"), await create(""), members.data?.data.length]))
`
