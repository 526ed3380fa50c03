import type { Permission } from "@parley/domain"
import { examples } from "../../src/api/openapi/examples/index.ts"
import type { Endpoint } from "./contract.ts"

interface Declared {
  readonly runs: { readonly useCase: { readonly access: unknown } } | null
}

const declared: Readonly<Record<string, Readonly<Record<string, Declared>>>> = examples

/** The permission that the use case of an endpoint declares; `null` if it declares none. */
export const permissionOf = ({ id }: Pick<Endpoint, "id">): Permission | null => {
  const [group = "", name = ""] = id.split(".")
  const access = declared[group]?.[name]?.runs?.useCase.access
  return typeof access === "object" && access !== null && "permission" in access
    ? (access.permission as Permission)
    : null
}
