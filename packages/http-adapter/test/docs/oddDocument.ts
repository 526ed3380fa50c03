const problem = (code: string, title: string, more: object = {}) => ({
  type: "object",
  properties: {
    title: { const: title },
    status: { type: "integer" },
    code: { const: code },
    ...more
  },
  required: ["title", "status", "code"]
})

/** An OpenAPI 3.1 document with everything in it that is easily drawn wrongly. */
export const oddDocument = {
  openapi: "3.1.0",
  info: { title: "Odd", version: "1.0.0" },
  servers: [{ url: "https://elsewhere.example/base/" }],
  security: [{ bearer: [] }],
  tags: [
    {
      name: "Odd & ends",
      description: "An area."
    }
  ],
  paths: {
    "/things/{id}": {
      parameters: [{ $ref: "#/components/parameters/Id" }],
      put: {
        operationId: "putThing",
        tags: ["Odd & ends"],
        summary: "Put <b>a thing</b>",
        description:
          "First paragraph with **weight**.\n\n- one `item`\n- two\n\nA [guide](/docs/guides/errors).\n\nAn *area* with `code`, <img src=x onerror=alert(1)> and [a link](javascript:alert(1)).",
        deprecated: true,
        parameters: [
          { name: "q", in: "query", required: true, schema: { type: "string", examples: ["a b&c"] } },
          { name: "sizes", in: "query", schema: { type: "array", items: { type: "integer", minimum: 1 } } }
        ],
        requestBody: { $ref: "#/components/requestBodies/Thing" },
        responses: {
          "200": { $ref: "#/components/responses/Thing" },
          "204": { description: "Nothing to say." },
          "409": {
            description: "Refused.",
            content: {
              "application/problem+json": {
                schema: {
                  anyOf: [
                    { $ref: "#/components/schemas/Taken" },
                    { oneOf: [problem("too_odd", "Too odd"), problem("too_even", "Too even")] }
                  ]
                },
                examples: { taken: { $ref: "#/components/examples/taken" } }
              }
            }
          }
        }
      },
      get: {
        tags: ["Odd & ends"],
        security: [],
        responses: {
          "200": { description: "Success", content: { "text/event-stream": { schema: { type: "string" } } } }
        }
      }
    }
  },
  components: {
    parameters: {
      Id: { name: "id", in: "path", required: true, schema: { type: "string", format: "uuid" }, example: "7" }
    },
    requestBodies: {
      Thing: { required: true, content: { "application/json": { schema: { $ref: "#/components/schemas/Thing" } } } }
    },
    responses: {
      Thing: {
        description: "The thing as it is now.",
        headers: { "X-Left": { $ref: "#/components/headers/Left" } },
        content: {
          "application/json": { schema: { $ref: "#/components/schemas/Thing" }, example: { name: "shown as it is" } }
        }
      }
    },
    headers: { Left: { description: "What is left.", schema: { type: "integer" } } },
    examples: { taken: { value: { title: "Taken", status: 409, code: "taken", by: "somebody" } } },
    schemas: {
      Taken: problem("taken", "Taken", { by: { type: "string", description: "Who has it." } }),
      Name: {
        type: "string",
        allOf: [{ minLength: 2 }, { maxLength: 20, description: "Name." }]
      },
      Thing: {
        type: "object",
        required: ["name", "kind", "shape"],
        additionalProperties: false,
        properties: {
          name: { $ref: "#/components/schemas/Name" },
          nick: { anyOf: [{ $ref: "#/components/schemas/Name" }, { type: "null" }] },
          note: { type: ["string", "null"], maxLength: 5 },
          kind: { const: "thing" },
          color: { enum: ["red", "blue", null] },
          size: { type: "integer", minimum: -9007199254740991, maximum: 9007199254740991 },
          part: { type: "number", exclusiveMinimum: 0, multipleOf: 0.5, default: 1 },
          either: { anyOf: [{ type: "string" }, { type: "integer" }] },
          tags: {
            type: "array",
            prefixItems: [{ type: "string" }],
            items: { type: "string", minLength: 1 },
            minItems: 1
          },
          labels: { type: "object", additionalProperties: { type: "string" } },
          limits: {
            type: "object",
            additionalProperties: { type: "object", properties: { max: { type: "integer" } }, required: ["max"] }
          },
          anything: {},
          shape: {
            oneOf: [
              {
                type: "object",
                properties: { type: { const: "circle" }, radius: { type: "number" } },
                required: ["type"]
              },
              {
                type: "object",
                properties: { type: { enum: ["square"] }, side: { type: "number" } },
                required: ["type"]
              },
              { type: "null" }
            ]
          },
          parts: { type: "array", items: { $ref: "#/components/schemas/Thing" } },
          whole: { allOf: [{ $ref: "#/components/schemas/Thing" }, { description: "What it is a part of." }] },
          merged: {
            allOf: [
              { type: "object", properties: { one: { type: "boolean" } }, required: ["one"] },
              { type: "object", properties: { two: { type: "string", format: "date-time" } } }
            ]
          }
        }
      }
    }
  }
}
