// Validates bodies of the corpus by the schemas of Meta's OpenAPI document.
import { Ajv2020 } from "ajv/dist/2020.js"
import { readFileSync } from "node:fs"

const { bodies } = JSON.parse(readFileSync(process.argv[2], "utf8"))
const published = JSON.parse(readFileSync(new URL("metaOpenApi.json", import.meta.url), "utf8"))

const ajv = new Ajv2020({ allErrors: true, strict: false })
ajv.addSchema({ $id: "meta", ...published })

const escaped = (key) => encodeURIComponent(key.replaceAll("~", "~0").replaceAll("/", "~1"))
const pointerOf = ({ operation, part }) => (part === "value" ? "value" : `operations/${escaped(operation)}/${part}`)
const exists = ({ operation, part }) => part === "value" || published.operations[operation]?.[part] !== undefined

const checked = bodies.filter(exists)
const faults = checked.flatMap(({ body, name, ...place }) => {
  const validate = ajv.compile({ $ref: `meta#/${pointerOf(place)}` })
  if (validate(body)) return []
  return (
    validate.errors
      // The branch of a condition has its own errors.
      .filter(({ keyword }) => keyword !== "if")
      .map(({ instancePath, message }) => ({ name, fault: `${instancePath.replace(/\/\d+/gu, "/*")} ${message}` }))
  )
})

process.stdout.write(JSON.stringify({ checked: checked.map(({ name }) => name), faults }))
