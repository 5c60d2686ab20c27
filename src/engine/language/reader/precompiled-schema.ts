// Made from schemas/workflow.v1.schema.json by `npm run schema`: change the schema, not this file.
// @ts-nocheck
var __getOwnPropNames = Object.getOwnPropertyNames;
var __commonJS = (cb, mod) => function __require() {
  try {
    return mod || (0, cb[__getOwnPropNames(cb)[0]])((mod = { exports: {} }).exports, mod), mod.exports;
  } catch (e) {
    throw mod = 0, e;
  }
};

// node_modules/ajv/dist/runtime/ucs2length.js
var require_ucs2length = __commonJS({
  "node_modules/ajv/dist/runtime/ucs2length.js"(exports) {
    "use strict";
    Object.defineProperty(exports, "__esModule", { value: true });
    function ucs2length(str) {
      const len = str.length;
      let length = 0;
      let pos = 0;
      let value;
      while (pos < len) {
        length++;
        value = str.charCodeAt(pos++);
        if (value >= 55296 && value <= 56319 && pos < len) {
          value = str.charCodeAt(pos);
          if ((value & 64512) === 56320)
            pos++;
        }
      }
      return length;
    }
    exports.default = ucs2length;
    ucs2length.code = 'require("ajv/dist/runtime/ucs2length").default';
  }
});

// <stdin>
var document = validate20;
var schema32 = { "type": "object", "required": ["apiVersion", "kind", "metadata", "spec"], "additionalProperties": false, "properties": { "apiVersion": { "type": "string", "minLength": 4, "maxLength": 256, "pattern": "^[A-Za-z0-9][A-Za-z0-9.-]*/v1$", "$comment": "must be a group of letters, digits, `.` and `-`, then `/v1`, such as `flowgate/v1`" }, "kind": { "const": "Workflow" }, "metadata": { "$ref": "#/$defs/metadata" }, "spec": { "$ref": "#/$defs/spec" } }, "$defs": { "metadata": { "type": "object", "required": ["id"], "additionalProperties": false, "properties": { "id": { "type": "string", "minLength": 1, "maxLength": 256, "pattern": "^[^\\u0000-\\u001f\\u007f-\\u009f]*$", "$comment": "must not contain control characters" }, "description": { "type": "string", "maxLength": 1e4 }, "labels": { "type": "object", "maxProperties": 100, "propertyNames": { "minLength": 1, "maxLength": 256 }, "additionalProperties": { "type": "string", "maxLength": 1024 } }, "annotations": { "type": "object", "maxProperties": 100, "propertyNames": { "minLength": 1, "maxLength": 256 }, "additionalProperties": { "type": ["string", "number", "boolean"], "maxLength": 1024 } } } }, "spec": { "type": "object", "required": ["units", "flow"], "additionalProperties": false, "properties": { "input": { "type": "object" }, "policy": { "$ref": "#/$defs/policy" }, "entry": { "$ref": "#/$defs/unitId" }, "units": { "type": "array", "minItems": 1, "maxItems": 2e4, "items": { "flowgatePiece": "unit" } }, "flow": { "flowgatePiece": "flow" }, "onCancel": { "type": "array", "minItems": 1, "maxItems": 100, "items": { "$ref": "#/$defs/unitId" } } } }, "unitId": { "type": "string", "pattern": "^[\\p{L}\\p{N}_][\\p{L}\\p{M}\\p{N}_.-]{0,255}$", "$comment": "must be a unit id: 1 to 256 letters and digits of any script, `_`, `.` or `-`, the first a letter, a digit or `_`" }, "expression": { "type": "string", "minLength": 1, "maxLength": 1e4 }, "stateKey": { "type": "string", "minLength": 1, "maxLength": 512 }, "maxConcurrency": { "type": "integer", "minimum": 1, "maximum": 1e4 }, "unit": { "type": "object", "required": ["id", "uses"], "additionalProperties": false, "properties": { "id": { "$ref": "#/$defs/unitId" }, "uses": { "type": "string", "minLength": 1, "maxLength": 256, "pattern": "^[^\\u0000-\\u001f\\u007f-\\u009f]*$", "$comment": "must not contain control characters" }, "config": { "type": "object" }, "with": { "type": ["object", "string"], "maxLength": 1e5 }, "if": { "$ref": "#/$defs/expression" }, "pause": { "enum": ["before", "after"] }, "policyOverrides": { "$ref": "#/$defs/policy" }, "contextPolicy": { "$ref": "#/$defs/contextPolicy" } } }, "contextPolicy": { "type": "object", "properties": { "state": { "type": ["string", "array"], "if": { "type": "string" }, "then": { "enum": ["all", "none"] }, "else": { "maxItems": 1e4, "items": { "$ref": "#/$defs/stateKey" } } }, "memory": { "type": "object", "properties": { "record": { "type": "boolean" } } } } }, "policy": { "type": "object", "additionalProperties": false, "properties": { "retry": { "type": "object", "additionalProperties": false, "properties": { "maxAttempts": { "type": "integer", "minimum": 0, "maximum": 100 }, "backoff": { "enum": ["fixed", "exponential"] }, "baseMs": { "type": "integer", "minimum": 0, "maximum": 315576e6 }, "maxMs": { "type": "integer", "minimum": 0, "maximum": 315576e6 }, "jitter": { "type": "boolean" } } }, "timeout": { "type": "object", "additionalProperties": false, "properties": { "unitMs": { "type": "integer", "minimum": 1, "maximum": 315576e6 }, "workflowMs": { "type": "integer", "minimum": 1, "maximum": 315576e6 } } }, "budget": { "type": "object", "additionalProperties": false, "properties": { "maxTokens": { "type": "integer", "minimum": 0, "maximum": 9007199254740991 }, "maxCost": { "type": "number", "minimum": 0, "maximum": 1e15 }, "onExceed": { "enum": ["fail", "pause"] } } }, "concurrency": { "type": "object", "additionalProperties": false, "properties": { "maxParallelUnits": { "type": "integer", "minimum": 1, "maximum": 1e4 } } }, "circuitBreaker": { "type": "object", "additionalProperties": false, "properties": { "failureThreshold": { "type": "integer", "minimum": 1, "maximum": 1e6 }, "resetMs": { "type": "integer", "minimum": 0, "maximum": 315576e6 } } }, "rateLimit": { "type": "object", "additionalProperties": false, "properties": { "maxRequestsPerMinute": { "type": "integer", "minimum": 1, "maximum": 1e7 } } } } }, "flow": { "type": ["string", "object"], "if": { "type": "string" }, "then": { "$ref": "#/$defs/unitId" }, "else": { "if": { "type": "object" }, "then": { "required": ["type"], "properties": { "type": { "enum": ["sequential", "parallel", "router", "switch", "loop", "foreach", "dag", "delegation"] } }, "allOf": [{ "if": { "properties": { "type": { "const": "sequential" } }, "required": ["type"] }, "then": { "$ref": "#/$defs/sequential" } }, { "if": { "properties": { "type": { "const": "parallel" } }, "required": ["type"] }, "then": { "$ref": "#/$defs/parallel" } }, { "if": { "properties": { "type": { "const": "router" } }, "required": ["type"] }, "then": { "$ref": "#/$defs/router" } }, { "if": { "properties": { "type": { "const": "switch" } }, "required": ["type"] }, "then": { "$ref": "#/$defs/switch" } }, { "if": { "properties": { "type": { "const": "loop" } }, "required": ["type"] }, "then": { "$ref": "#/$defs/loop" } }, { "if": { "properties": { "type": { "const": "foreach" } }, "required": ["type"] }, "then": { "$ref": "#/$defs/foreach" } }, { "if": { "properties": { "type": { "const": "dag" } }, "required": ["type"] }, "then": { "$ref": "#/$defs/dag" } }, { "if": { "properties": { "type": { "const": "delegation" } }, "required": ["type"] }, "then": { "$ref": "#/$defs/delegation" } }] } } }, "sequential": { "type": "object", "required": ["type"], "additionalProperties": false, "properties": { "type": { "const": "sequential" }, "order": { "type": "array", "minItems": 1, "maxItems": 2e4, "items": { "flowgatePiece": "flow" } } } }, "parallel": { "type": "object", "required": ["type", "units"], "additionalProperties": false, "properties": { "type": { "const": "parallel" }, "units": { "type": "array", "minItems": 1, "maxItems": 2e4, "items": { "flowgatePiece": "flow" } }, "reducer": { "flowgatePiece": "flow" }, "failureStrategy": { "enum": ["fail-fast", "collect-errors", "best-effort"] }, "maxConcurrency": { "$ref": "#/$defs/maxConcurrency" } } }, "router": { "type": "object", "required": ["type", "routerUnit", "routes"], "additionalProperties": false, "properties": { "type": { "const": "router" }, "routerUnit": { "flowgatePiece": "flow" }, "routes": { "type": "object", "minProperties": 1, "maxProperties": 2e4, "additionalProperties": { "flowgatePiece": "flow" } }, "default": { "flowgatePiece": "flow" } } }, "switch": { "type": "object", "required": ["type", "cases"], "additionalProperties": false, "properties": { "type": { "const": "switch" }, "cases": { "type": "array", "minItems": 1, "maxItems": 2e4, "items": { "type": "object", "required": ["if", "do"], "additionalProperties": false, "properties": { "if": { "$ref": "#/$defs/expression" }, "do": { "flowgatePiece": "flow" } } } }, "default": { "flowgatePiece": "flow" } } }, "loop": { "type": "object", "required": ["type"], "additionalProperties": false, "properties": { "type": { "const": "loop" }, "unit": { "flowgatePiece": "flow" }, "do": { "flowgatePiece": "flow" }, "maxIterations": { "type": "integer", "minimum": 1, "maximum": 1e6 }, "untilStateKey": { "$ref": "#/$defs/stateKey" }, "until": { "$ref": "#/$defs/expression" } }, "allOf": [{ "if": { "required": ["unit"] }, "then": { "properties": { "do": { "not": {}, "$comment": "cannot stand beside `unit`: keep one of the two" } } }, "else": { "required": ["do"], "$comment": "needs `do` (or `unit`): what each pass runs" } }, { "if": { "required": ["untilStateKey"] }, "then": { "properties": { "until": { "not": {}, "$comment": "cannot stand beside `untilStateKey`: keep one of the two" } } } }] }, "foreach": { "type": "object", "required": ["type", "items", "do"], "additionalProperties": false, "properties": { "type": { "const": "foreach" }, "items": { "$ref": "#/$defs/expression" }, "as": { "type": "string", "pattern": "^[A-Za-z_][A-Za-z0-9_]{0,63}$", "$comment": "must be a name: a letter or `_`, then up to 63 letters, digits or `_`" }, "do": { "flowgatePiece": "flow" }, "maxConcurrency": { "$ref": "#/$defs/maxConcurrency" }, "collect": { "type": "string", "minLength": 1, "maxLength": 512, "pattern": "^(?!output\\.|errors\\.|hitl\\.|__proto__$)", "$comment": "must not be `__proto__` and must not begin with `output.`, `errors.` or `hitl.`, which the engine writes" } } }, "dag": { "type": "object", "required": ["type", "executors"], "additionalProperties": false, "properties": { "type": { "const": "dag" }, "executors": { "type": "array", "minItems": 1, "maxItems": 2e4, "items": { "flowgatePiece": "flow" } }, "dependencies": { "type": "object", "maxProperties": 2e4, "propertyNames": { "$ref": "#/$defs/unitId" }, "additionalProperties": { "type": "array", "maxItems": 2e4, "items": { "$ref": "#/$defs/unitId" } } }, "planner": { "flowgatePiece": "flow" }, "aggregator": { "flowgatePiece": "flow" }, "maxConcurrency": { "$ref": "#/$defs/maxConcurrency" } } }, "delegation": { "type": "object", "required": ["type", "orchestrator", "specialists"], "additionalProperties": false, "properties": { "type": { "const": "delegation" }, "orchestrator": { "flowgatePiece": "flow" }, "specialists": { "type": "array", "minItems": 1, "maxItems": 2e4, "items": { "flowgatePiece": "flow" } }, "maxRounds": { "type": "integer", "minimum": 1, "maximum": 1e6 } } } } };
var schema33 = { "type": "object", "required": ["id"], "additionalProperties": false, "properties": { "id": { "type": "string", "minLength": 1, "maxLength": 256, "pattern": "^[^\\u0000-\\u001f\\u007f-\\u009f]*$", "$comment": "must not contain control characters" }, "description": { "type": "string", "maxLength": 1e4 }, "labels": { "type": "object", "maxProperties": 100, "propertyNames": { "minLength": 1, "maxLength": 256 }, "additionalProperties": { "type": "string", "maxLength": 1024 } }, "annotations": { "type": "object", "maxProperties": 100, "propertyNames": { "minLength": 1, "maxLength": 256 }, "additionalProperties": { "type": ["string", "number", "boolean"], "maxLength": 1024 } } } };
var func0 = Object.prototype.hasOwnProperty;
var func65 = require_ucs2length().default;
var pattern4 = new RegExp("^[A-Za-z0-9][A-Za-z0-9.-]*/v1$", "u");
var pattern5 = new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f]*$", "u");
var schema34 = { "type": "object", "required": ["units", "flow"], "additionalProperties": false, "properties": { "input": { "type": "object" }, "policy": { "$ref": "#/$defs/policy" }, "entry": { "$ref": "#/$defs/unitId" }, "units": { "type": "array", "minItems": 1, "maxItems": 2e4, "items": { "flowgatePiece": "unit" } }, "flow": { "flowgatePiece": "flow" }, "onCancel": { "type": "array", "minItems": 1, "maxItems": 100, "items": { "$ref": "#/$defs/unitId" } } } };
var schema35 = { "type": "object", "additionalProperties": false, "properties": { "retry": { "type": "object", "additionalProperties": false, "properties": { "maxAttempts": { "type": "integer", "minimum": 0, "maximum": 100 }, "backoff": { "enum": ["fixed", "exponential"] }, "baseMs": { "type": "integer", "minimum": 0, "maximum": 315576e6 }, "maxMs": { "type": "integer", "minimum": 0, "maximum": 315576e6 }, "jitter": { "type": "boolean" } } }, "timeout": { "type": "object", "additionalProperties": false, "properties": { "unitMs": { "type": "integer", "minimum": 1, "maximum": 315576e6 }, "workflowMs": { "type": "integer", "minimum": 1, "maximum": 315576e6 } } }, "budget": { "type": "object", "additionalProperties": false, "properties": { "maxTokens": { "type": "integer", "minimum": 0, "maximum": 9007199254740991 }, "maxCost": { "type": "number", "minimum": 0, "maximum": 1e15 }, "onExceed": { "enum": ["fail", "pause"] } } }, "concurrency": { "type": "object", "additionalProperties": false, "properties": { "maxParallelUnits": { "type": "integer", "minimum": 1, "maximum": 1e4 } } }, "circuitBreaker": { "type": "object", "additionalProperties": false, "properties": { "failureThreshold": { "type": "integer", "minimum": 1, "maximum": 1e6 }, "resetMs": { "type": "integer", "minimum": 0, "maximum": 315576e6 } } }, "rateLimit": { "type": "object", "additionalProperties": false, "properties": { "maxRequestsPerMinute": { "type": "integer", "minimum": 1, "maximum": 1e7 } } } } };
var schema36 = { "type": "string", "pattern": "^[\\p{L}\\p{N}_][\\p{L}\\p{M}\\p{N}_.-]{0,255}$", "$comment": "must be a unit id: 1 to 256 letters and digits of any script, `_`, `.` or `-`, the first a letter, a digit or `_`" };
var pattern6 = new RegExp("^[\\p{L}\\p{N}_][\\p{L}\\p{M}\\p{N}_.-]{0,255}$", "u");
function validate22(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null;
  let errors = 0;
  const evaluated0 = validate22.evaluated;
  if (evaluated0.dynamicProps) {
    evaluated0.props = void 0;
  }
  if (evaluated0.dynamicItems) {
    evaluated0.items = void 0;
  }
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.units === void 0 || !func0.call(data, "units")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "units" }, message: "must have required property 'units'", schema: schema34.required, parentSchema: schema34, data };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.flow === void 0 || !func0.call(data, "flow")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "flow" }, message: "must have required property 'flow'", schema: schema34.required, parentSchema: schema34, data };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    for (const key0 of Object.keys(data)) {
      if (!(key0 === "input" || key0 === "policy" || key0 === "entry" || key0 === "units" || key0 === "flow" || key0 === "onCancel")) {
        const err2 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties", schema: false, parentSchema: schema34, data };
        if (vErrors === null) {
          vErrors = [err2];
        } else {
          vErrors.push(err2);
        }
        errors++;
      }
    }
    if (data.input !== void 0 && func0.call(data, "input")) {
      let data0 = data.input;
      if (!(data0 && typeof data0 == "object" && !Array.isArray(data0))) {
        const err3 = { instancePath: instancePath + "/input", schemaPath: "#/properties/input/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema34.properties.input.type, parentSchema: schema34.properties.input, data: data0 };
        if (vErrors === null) {
          vErrors = [err3];
        } else {
          vErrors.push(err3);
        }
        errors++;
      }
    }
    if (data.policy !== void 0 && func0.call(data, "policy")) {
      let data1 = data.policy;
      if (data1 && typeof data1 == "object" && !Array.isArray(data1)) {
        for (const key1 of Object.keys(data1)) {
          if (!(key1 === "retry" || key1 === "timeout" || key1 === "budget" || key1 === "concurrency" || key1 === "circuitBreaker" || key1 === "rateLimit")) {
            const err4 = { instancePath: instancePath + "/policy", schemaPath: "#/$defs/policy/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key1 }, message: "must NOT have additional properties", schema: false, parentSchema: schema35, data: data1 };
            if (vErrors === null) {
              vErrors = [err4];
            } else {
              vErrors.push(err4);
            }
            errors++;
          }
        }
        if (data1.retry !== void 0 && func0.call(data1, "retry")) {
          let data2 = data1.retry;
          if (data2 && typeof data2 == "object" && !Array.isArray(data2)) {
            for (const key2 of Object.keys(data2)) {
              if (!(key2 === "maxAttempts" || key2 === "backoff" || key2 === "baseMs" || key2 === "maxMs" || key2 === "jitter")) {
                const err5 = { instancePath: instancePath + "/policy/retry", schemaPath: "#/$defs/policy/properties/retry/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key2 }, message: "must NOT have additional properties", schema: false, parentSchema: schema35.properties.retry, data: data2 };
                if (vErrors === null) {
                  vErrors = [err5];
                } else {
                  vErrors.push(err5);
                }
                errors++;
              }
            }
            if (data2.maxAttempts !== void 0 && func0.call(data2, "maxAttempts")) {
              let data3 = data2.maxAttempts;
              if (!(typeof data3 == "number" && (!(data3 % 1) && !isNaN(data3)) && isFinite(data3))) {
                const err6 = { instancePath: instancePath + "/policy/retry/maxAttempts", schemaPath: "#/$defs/policy/properties/retry/properties/maxAttempts/type", keyword: "type", params: { type: "integer" }, message: "must be integer", schema: schema35.properties.retry.properties.maxAttempts.type, parentSchema: schema35.properties.retry.properties.maxAttempts, data: data3 };
                if (vErrors === null) {
                  vErrors = [err6];
                } else {
                  vErrors.push(err6);
                }
                errors++;
              }
              if (typeof data3 == "number" && isFinite(data3)) {
                if (data3 > 100 || isNaN(data3)) {
                  const err7 = { instancePath: instancePath + "/policy/retry/maxAttempts", schemaPath: "#/$defs/policy/properties/retry/properties/maxAttempts/maximum", keyword: "maximum", params: { comparison: "<=", limit: 100 }, message: "must be <= 100", schema: 100, parentSchema: schema35.properties.retry.properties.maxAttempts, data: data3 };
                  if (vErrors === null) {
                    vErrors = [err7];
                  } else {
                    vErrors.push(err7);
                  }
                  errors++;
                }
                if (data3 < 0 || isNaN(data3)) {
                  const err8 = { instancePath: instancePath + "/policy/retry/maxAttempts", schemaPath: "#/$defs/policy/properties/retry/properties/maxAttempts/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0", schema: 0, parentSchema: schema35.properties.retry.properties.maxAttempts, data: data3 };
                  if (vErrors === null) {
                    vErrors = [err8];
                  } else {
                    vErrors.push(err8);
                  }
                  errors++;
                }
              }
            }
            if (data2.backoff !== void 0 && func0.call(data2, "backoff")) {
              let data4 = data2.backoff;
              if (!(data4 === "fixed" || data4 === "exponential")) {
                const err9 = { instancePath: instancePath + "/policy/retry/backoff", schemaPath: "#/$defs/policy/properties/retry/properties/backoff/enum", keyword: "enum", params: { allowedValues: schema35.properties.retry.properties.backoff.enum }, message: "must be equal to one of the allowed values", schema: schema35.properties.retry.properties.backoff.enum, parentSchema: schema35.properties.retry.properties.backoff, data: data4 };
                if (vErrors === null) {
                  vErrors = [err9];
                } else {
                  vErrors.push(err9);
                }
                errors++;
              }
            }
            if (data2.baseMs !== void 0 && func0.call(data2, "baseMs")) {
              let data5 = data2.baseMs;
              if (!(typeof data5 == "number" && (!(data5 % 1) && !isNaN(data5)) && isFinite(data5))) {
                const err10 = { instancePath: instancePath + "/policy/retry/baseMs", schemaPath: "#/$defs/policy/properties/retry/properties/baseMs/type", keyword: "type", params: { type: "integer" }, message: "must be integer", schema: schema35.properties.retry.properties.baseMs.type, parentSchema: schema35.properties.retry.properties.baseMs, data: data5 };
                if (vErrors === null) {
                  vErrors = [err10];
                } else {
                  vErrors.push(err10);
                }
                errors++;
              }
              if (typeof data5 == "number" && isFinite(data5)) {
                if (data5 > 315576e6 || isNaN(data5)) {
                  const err11 = { instancePath: instancePath + "/policy/retry/baseMs", schemaPath: "#/$defs/policy/properties/retry/properties/baseMs/maximum", keyword: "maximum", params: { comparison: "<=", limit: 315576e6 }, message: "must be <= 315576000000", schema: 315576e6, parentSchema: schema35.properties.retry.properties.baseMs, data: data5 };
                  if (vErrors === null) {
                    vErrors = [err11];
                  } else {
                    vErrors.push(err11);
                  }
                  errors++;
                }
                if (data5 < 0 || isNaN(data5)) {
                  const err12 = { instancePath: instancePath + "/policy/retry/baseMs", schemaPath: "#/$defs/policy/properties/retry/properties/baseMs/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0", schema: 0, parentSchema: schema35.properties.retry.properties.baseMs, data: data5 };
                  if (vErrors === null) {
                    vErrors = [err12];
                  } else {
                    vErrors.push(err12);
                  }
                  errors++;
                }
              }
            }
            if (data2.maxMs !== void 0 && func0.call(data2, "maxMs")) {
              let data6 = data2.maxMs;
              if (!(typeof data6 == "number" && (!(data6 % 1) && !isNaN(data6)) && isFinite(data6))) {
                const err13 = { instancePath: instancePath + "/policy/retry/maxMs", schemaPath: "#/$defs/policy/properties/retry/properties/maxMs/type", keyword: "type", params: { type: "integer" }, message: "must be integer", schema: schema35.properties.retry.properties.maxMs.type, parentSchema: schema35.properties.retry.properties.maxMs, data: data6 };
                if (vErrors === null) {
                  vErrors = [err13];
                } else {
                  vErrors.push(err13);
                }
                errors++;
              }
              if (typeof data6 == "number" && isFinite(data6)) {
                if (data6 > 315576e6 || isNaN(data6)) {
                  const err14 = { instancePath: instancePath + "/policy/retry/maxMs", schemaPath: "#/$defs/policy/properties/retry/properties/maxMs/maximum", keyword: "maximum", params: { comparison: "<=", limit: 315576e6 }, message: "must be <= 315576000000", schema: 315576e6, parentSchema: schema35.properties.retry.properties.maxMs, data: data6 };
                  if (vErrors === null) {
                    vErrors = [err14];
                  } else {
                    vErrors.push(err14);
                  }
                  errors++;
                }
                if (data6 < 0 || isNaN(data6)) {
                  const err15 = { instancePath: instancePath + "/policy/retry/maxMs", schemaPath: "#/$defs/policy/properties/retry/properties/maxMs/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0", schema: 0, parentSchema: schema35.properties.retry.properties.maxMs, data: data6 };
                  if (vErrors === null) {
                    vErrors = [err15];
                  } else {
                    vErrors.push(err15);
                  }
                  errors++;
                }
              }
            }
            if (data2.jitter !== void 0 && func0.call(data2, "jitter")) {
              let data7 = data2.jitter;
              if (typeof data7 !== "boolean") {
                const err16 = { instancePath: instancePath + "/policy/retry/jitter", schemaPath: "#/$defs/policy/properties/retry/properties/jitter/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean", schema: schema35.properties.retry.properties.jitter.type, parentSchema: schema35.properties.retry.properties.jitter, data: data7 };
                if (vErrors === null) {
                  vErrors = [err16];
                } else {
                  vErrors.push(err16);
                }
                errors++;
              }
            }
          } else {
            const err17 = { instancePath: instancePath + "/policy/retry", schemaPath: "#/$defs/policy/properties/retry/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema35.properties.retry.type, parentSchema: schema35.properties.retry, data: data2 };
            if (vErrors === null) {
              vErrors = [err17];
            } else {
              vErrors.push(err17);
            }
            errors++;
          }
        }
        if (data1.timeout !== void 0 && func0.call(data1, "timeout")) {
          let data8 = data1.timeout;
          if (data8 && typeof data8 == "object" && !Array.isArray(data8)) {
            for (const key3 of Object.keys(data8)) {
              if (!(key3 === "unitMs" || key3 === "workflowMs")) {
                const err18 = { instancePath: instancePath + "/policy/timeout", schemaPath: "#/$defs/policy/properties/timeout/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key3 }, message: "must NOT have additional properties", schema: false, parentSchema: schema35.properties.timeout, data: data8 };
                if (vErrors === null) {
                  vErrors = [err18];
                } else {
                  vErrors.push(err18);
                }
                errors++;
              }
            }
            if (data8.unitMs !== void 0 && func0.call(data8, "unitMs")) {
              let data9 = data8.unitMs;
              if (!(typeof data9 == "number" && (!(data9 % 1) && !isNaN(data9)) && isFinite(data9))) {
                const err19 = { instancePath: instancePath + "/policy/timeout/unitMs", schemaPath: "#/$defs/policy/properties/timeout/properties/unitMs/type", keyword: "type", params: { type: "integer" }, message: "must be integer", schema: schema35.properties.timeout.properties.unitMs.type, parentSchema: schema35.properties.timeout.properties.unitMs, data: data9 };
                if (vErrors === null) {
                  vErrors = [err19];
                } else {
                  vErrors.push(err19);
                }
                errors++;
              }
              if (typeof data9 == "number" && isFinite(data9)) {
                if (data9 > 315576e6 || isNaN(data9)) {
                  const err20 = { instancePath: instancePath + "/policy/timeout/unitMs", schemaPath: "#/$defs/policy/properties/timeout/properties/unitMs/maximum", keyword: "maximum", params: { comparison: "<=", limit: 315576e6 }, message: "must be <= 315576000000", schema: 315576e6, parentSchema: schema35.properties.timeout.properties.unitMs, data: data9 };
                  if (vErrors === null) {
                    vErrors = [err20];
                  } else {
                    vErrors.push(err20);
                  }
                  errors++;
                }
                if (data9 < 1 || isNaN(data9)) {
                  const err21 = { instancePath: instancePath + "/policy/timeout/unitMs", schemaPath: "#/$defs/policy/properties/timeout/properties/unitMs/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1", schema: 1, parentSchema: schema35.properties.timeout.properties.unitMs, data: data9 };
                  if (vErrors === null) {
                    vErrors = [err21];
                  } else {
                    vErrors.push(err21);
                  }
                  errors++;
                }
              }
            }
            if (data8.workflowMs !== void 0 && func0.call(data8, "workflowMs")) {
              let data10 = data8.workflowMs;
              if (!(typeof data10 == "number" && (!(data10 % 1) && !isNaN(data10)) && isFinite(data10))) {
                const err22 = { instancePath: instancePath + "/policy/timeout/workflowMs", schemaPath: "#/$defs/policy/properties/timeout/properties/workflowMs/type", keyword: "type", params: { type: "integer" }, message: "must be integer", schema: schema35.properties.timeout.properties.workflowMs.type, parentSchema: schema35.properties.timeout.properties.workflowMs, data: data10 };
                if (vErrors === null) {
                  vErrors = [err22];
                } else {
                  vErrors.push(err22);
                }
                errors++;
              }
              if (typeof data10 == "number" && isFinite(data10)) {
                if (data10 > 315576e6 || isNaN(data10)) {
                  const err23 = { instancePath: instancePath + "/policy/timeout/workflowMs", schemaPath: "#/$defs/policy/properties/timeout/properties/workflowMs/maximum", keyword: "maximum", params: { comparison: "<=", limit: 315576e6 }, message: "must be <= 315576000000", schema: 315576e6, parentSchema: schema35.properties.timeout.properties.workflowMs, data: data10 };
                  if (vErrors === null) {
                    vErrors = [err23];
                  } else {
                    vErrors.push(err23);
                  }
                  errors++;
                }
                if (data10 < 1 || isNaN(data10)) {
                  const err24 = { instancePath: instancePath + "/policy/timeout/workflowMs", schemaPath: "#/$defs/policy/properties/timeout/properties/workflowMs/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1", schema: 1, parentSchema: schema35.properties.timeout.properties.workflowMs, data: data10 };
                  if (vErrors === null) {
                    vErrors = [err24];
                  } else {
                    vErrors.push(err24);
                  }
                  errors++;
                }
              }
            }
          } else {
            const err25 = { instancePath: instancePath + "/policy/timeout", schemaPath: "#/$defs/policy/properties/timeout/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema35.properties.timeout.type, parentSchema: schema35.properties.timeout, data: data8 };
            if (vErrors === null) {
              vErrors = [err25];
            } else {
              vErrors.push(err25);
            }
            errors++;
          }
        }
        if (data1.budget !== void 0 && func0.call(data1, "budget")) {
          let data11 = data1.budget;
          if (data11 && typeof data11 == "object" && !Array.isArray(data11)) {
            for (const key4 of Object.keys(data11)) {
              if (!(key4 === "maxTokens" || key4 === "maxCost" || key4 === "onExceed")) {
                const err26 = { instancePath: instancePath + "/policy/budget", schemaPath: "#/$defs/policy/properties/budget/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key4 }, message: "must NOT have additional properties", schema: false, parentSchema: schema35.properties.budget, data: data11 };
                if (vErrors === null) {
                  vErrors = [err26];
                } else {
                  vErrors.push(err26);
                }
                errors++;
              }
            }
            if (data11.maxTokens !== void 0 && func0.call(data11, "maxTokens")) {
              let data12 = data11.maxTokens;
              if (!(typeof data12 == "number" && (!(data12 % 1) && !isNaN(data12)) && isFinite(data12))) {
                const err27 = { instancePath: instancePath + "/policy/budget/maxTokens", schemaPath: "#/$defs/policy/properties/budget/properties/maxTokens/type", keyword: "type", params: { type: "integer" }, message: "must be integer", schema: schema35.properties.budget.properties.maxTokens.type, parentSchema: schema35.properties.budget.properties.maxTokens, data: data12 };
                if (vErrors === null) {
                  vErrors = [err27];
                } else {
                  vErrors.push(err27);
                }
                errors++;
              }
              if (typeof data12 == "number" && isFinite(data12)) {
                if (data12 > 9007199254740991 || isNaN(data12)) {
                  const err28 = { instancePath: instancePath + "/policy/budget/maxTokens", schemaPath: "#/$defs/policy/properties/budget/properties/maxTokens/maximum", keyword: "maximum", params: { comparison: "<=", limit: 9007199254740991 }, message: "must be <= 9007199254740991", schema: 9007199254740991, parentSchema: schema35.properties.budget.properties.maxTokens, data: data12 };
                  if (vErrors === null) {
                    vErrors = [err28];
                  } else {
                    vErrors.push(err28);
                  }
                  errors++;
                }
                if (data12 < 0 || isNaN(data12)) {
                  const err29 = { instancePath: instancePath + "/policy/budget/maxTokens", schemaPath: "#/$defs/policy/properties/budget/properties/maxTokens/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0", schema: 0, parentSchema: schema35.properties.budget.properties.maxTokens, data: data12 };
                  if (vErrors === null) {
                    vErrors = [err29];
                  } else {
                    vErrors.push(err29);
                  }
                  errors++;
                }
              }
            }
            if (data11.maxCost !== void 0 && func0.call(data11, "maxCost")) {
              let data13 = data11.maxCost;
              if (typeof data13 == "number" && isFinite(data13)) {
                if (data13 > 1e15 || isNaN(data13)) {
                  const err30 = { instancePath: instancePath + "/policy/budget/maxCost", schemaPath: "#/$defs/policy/properties/budget/properties/maxCost/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e15 }, message: "must be <= 1000000000000000", schema: 1e15, parentSchema: schema35.properties.budget.properties.maxCost, data: data13 };
                  if (vErrors === null) {
                    vErrors = [err30];
                  } else {
                    vErrors.push(err30);
                  }
                  errors++;
                }
                if (data13 < 0 || isNaN(data13)) {
                  const err31 = { instancePath: instancePath + "/policy/budget/maxCost", schemaPath: "#/$defs/policy/properties/budget/properties/maxCost/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0", schema: 0, parentSchema: schema35.properties.budget.properties.maxCost, data: data13 };
                  if (vErrors === null) {
                    vErrors = [err31];
                  } else {
                    vErrors.push(err31);
                  }
                  errors++;
                }
              } else {
                const err32 = { instancePath: instancePath + "/policy/budget/maxCost", schemaPath: "#/$defs/policy/properties/budget/properties/maxCost/type", keyword: "type", params: { type: "number" }, message: "must be number", schema: schema35.properties.budget.properties.maxCost.type, parentSchema: schema35.properties.budget.properties.maxCost, data: data13 };
                if (vErrors === null) {
                  vErrors = [err32];
                } else {
                  vErrors.push(err32);
                }
                errors++;
              }
            }
            if (data11.onExceed !== void 0 && func0.call(data11, "onExceed")) {
              let data14 = data11.onExceed;
              if (!(data14 === "fail" || data14 === "pause")) {
                const err33 = { instancePath: instancePath + "/policy/budget/onExceed", schemaPath: "#/$defs/policy/properties/budget/properties/onExceed/enum", keyword: "enum", params: { allowedValues: schema35.properties.budget.properties.onExceed.enum }, message: "must be equal to one of the allowed values", schema: schema35.properties.budget.properties.onExceed.enum, parentSchema: schema35.properties.budget.properties.onExceed, data: data14 };
                if (vErrors === null) {
                  vErrors = [err33];
                } else {
                  vErrors.push(err33);
                }
                errors++;
              }
            }
          } else {
            const err34 = { instancePath: instancePath + "/policy/budget", schemaPath: "#/$defs/policy/properties/budget/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema35.properties.budget.type, parentSchema: schema35.properties.budget, data: data11 };
            if (vErrors === null) {
              vErrors = [err34];
            } else {
              vErrors.push(err34);
            }
            errors++;
          }
        }
        if (data1.concurrency !== void 0 && func0.call(data1, "concurrency")) {
          let data15 = data1.concurrency;
          if (data15 && typeof data15 == "object" && !Array.isArray(data15)) {
            for (const key5 of Object.keys(data15)) {
              if (!(key5 === "maxParallelUnits")) {
                const err35 = { instancePath: instancePath + "/policy/concurrency", schemaPath: "#/$defs/policy/properties/concurrency/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key5 }, message: "must NOT have additional properties", schema: false, parentSchema: schema35.properties.concurrency, data: data15 };
                if (vErrors === null) {
                  vErrors = [err35];
                } else {
                  vErrors.push(err35);
                }
                errors++;
              }
            }
            if (data15.maxParallelUnits !== void 0 && func0.call(data15, "maxParallelUnits")) {
              let data16 = data15.maxParallelUnits;
              if (!(typeof data16 == "number" && (!(data16 % 1) && !isNaN(data16)) && isFinite(data16))) {
                const err36 = { instancePath: instancePath + "/policy/concurrency/maxParallelUnits", schemaPath: "#/$defs/policy/properties/concurrency/properties/maxParallelUnits/type", keyword: "type", params: { type: "integer" }, message: "must be integer", schema: schema35.properties.concurrency.properties.maxParallelUnits.type, parentSchema: schema35.properties.concurrency.properties.maxParallelUnits, data: data16 };
                if (vErrors === null) {
                  vErrors = [err36];
                } else {
                  vErrors.push(err36);
                }
                errors++;
              }
              if (typeof data16 == "number" && isFinite(data16)) {
                if (data16 > 1e4 || isNaN(data16)) {
                  const err37 = { instancePath: instancePath + "/policy/concurrency/maxParallelUnits", schemaPath: "#/$defs/policy/properties/concurrency/properties/maxParallelUnits/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e4 }, message: "must be <= 10000", schema: 1e4, parentSchema: schema35.properties.concurrency.properties.maxParallelUnits, data: data16 };
                  if (vErrors === null) {
                    vErrors = [err37];
                  } else {
                    vErrors.push(err37);
                  }
                  errors++;
                }
                if (data16 < 1 || isNaN(data16)) {
                  const err38 = { instancePath: instancePath + "/policy/concurrency/maxParallelUnits", schemaPath: "#/$defs/policy/properties/concurrency/properties/maxParallelUnits/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1", schema: 1, parentSchema: schema35.properties.concurrency.properties.maxParallelUnits, data: data16 };
                  if (vErrors === null) {
                    vErrors = [err38];
                  } else {
                    vErrors.push(err38);
                  }
                  errors++;
                }
              }
            }
          } else {
            const err39 = { instancePath: instancePath + "/policy/concurrency", schemaPath: "#/$defs/policy/properties/concurrency/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema35.properties.concurrency.type, parentSchema: schema35.properties.concurrency, data: data15 };
            if (vErrors === null) {
              vErrors = [err39];
            } else {
              vErrors.push(err39);
            }
            errors++;
          }
        }
        if (data1.circuitBreaker !== void 0 && func0.call(data1, "circuitBreaker")) {
          let data17 = data1.circuitBreaker;
          if (data17 && typeof data17 == "object" && !Array.isArray(data17)) {
            for (const key6 of Object.keys(data17)) {
              if (!(key6 === "failureThreshold" || key6 === "resetMs")) {
                const err40 = { instancePath: instancePath + "/policy/circuitBreaker", schemaPath: "#/$defs/policy/properties/circuitBreaker/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key6 }, message: "must NOT have additional properties", schema: false, parentSchema: schema35.properties.circuitBreaker, data: data17 };
                if (vErrors === null) {
                  vErrors = [err40];
                } else {
                  vErrors.push(err40);
                }
                errors++;
              }
            }
            if (data17.failureThreshold !== void 0 && func0.call(data17, "failureThreshold")) {
              let data18 = data17.failureThreshold;
              if (!(typeof data18 == "number" && (!(data18 % 1) && !isNaN(data18)) && isFinite(data18))) {
                const err41 = { instancePath: instancePath + "/policy/circuitBreaker/failureThreshold", schemaPath: "#/$defs/policy/properties/circuitBreaker/properties/failureThreshold/type", keyword: "type", params: { type: "integer" }, message: "must be integer", schema: schema35.properties.circuitBreaker.properties.failureThreshold.type, parentSchema: schema35.properties.circuitBreaker.properties.failureThreshold, data: data18 };
                if (vErrors === null) {
                  vErrors = [err41];
                } else {
                  vErrors.push(err41);
                }
                errors++;
              }
              if (typeof data18 == "number" && isFinite(data18)) {
                if (data18 > 1e6 || isNaN(data18)) {
                  const err42 = { instancePath: instancePath + "/policy/circuitBreaker/failureThreshold", schemaPath: "#/$defs/policy/properties/circuitBreaker/properties/failureThreshold/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e6 }, message: "must be <= 1000000", schema: 1e6, parentSchema: schema35.properties.circuitBreaker.properties.failureThreshold, data: data18 };
                  if (vErrors === null) {
                    vErrors = [err42];
                  } else {
                    vErrors.push(err42);
                  }
                  errors++;
                }
                if (data18 < 1 || isNaN(data18)) {
                  const err43 = { instancePath: instancePath + "/policy/circuitBreaker/failureThreshold", schemaPath: "#/$defs/policy/properties/circuitBreaker/properties/failureThreshold/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1", schema: 1, parentSchema: schema35.properties.circuitBreaker.properties.failureThreshold, data: data18 };
                  if (vErrors === null) {
                    vErrors = [err43];
                  } else {
                    vErrors.push(err43);
                  }
                  errors++;
                }
              }
            }
            if (data17.resetMs !== void 0 && func0.call(data17, "resetMs")) {
              let data19 = data17.resetMs;
              if (!(typeof data19 == "number" && (!(data19 % 1) && !isNaN(data19)) && isFinite(data19))) {
                const err44 = { instancePath: instancePath + "/policy/circuitBreaker/resetMs", schemaPath: "#/$defs/policy/properties/circuitBreaker/properties/resetMs/type", keyword: "type", params: { type: "integer" }, message: "must be integer", schema: schema35.properties.circuitBreaker.properties.resetMs.type, parentSchema: schema35.properties.circuitBreaker.properties.resetMs, data: data19 };
                if (vErrors === null) {
                  vErrors = [err44];
                } else {
                  vErrors.push(err44);
                }
                errors++;
              }
              if (typeof data19 == "number" && isFinite(data19)) {
                if (data19 > 315576e6 || isNaN(data19)) {
                  const err45 = { instancePath: instancePath + "/policy/circuitBreaker/resetMs", schemaPath: "#/$defs/policy/properties/circuitBreaker/properties/resetMs/maximum", keyword: "maximum", params: { comparison: "<=", limit: 315576e6 }, message: "must be <= 315576000000", schema: 315576e6, parentSchema: schema35.properties.circuitBreaker.properties.resetMs, data: data19 };
                  if (vErrors === null) {
                    vErrors = [err45];
                  } else {
                    vErrors.push(err45);
                  }
                  errors++;
                }
                if (data19 < 0 || isNaN(data19)) {
                  const err46 = { instancePath: instancePath + "/policy/circuitBreaker/resetMs", schemaPath: "#/$defs/policy/properties/circuitBreaker/properties/resetMs/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0", schema: 0, parentSchema: schema35.properties.circuitBreaker.properties.resetMs, data: data19 };
                  if (vErrors === null) {
                    vErrors = [err46];
                  } else {
                    vErrors.push(err46);
                  }
                  errors++;
                }
              }
            }
          } else {
            const err47 = { instancePath: instancePath + "/policy/circuitBreaker", schemaPath: "#/$defs/policy/properties/circuitBreaker/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema35.properties.circuitBreaker.type, parentSchema: schema35.properties.circuitBreaker, data: data17 };
            if (vErrors === null) {
              vErrors = [err47];
            } else {
              vErrors.push(err47);
            }
            errors++;
          }
        }
        if (data1.rateLimit !== void 0 && func0.call(data1, "rateLimit")) {
          let data20 = data1.rateLimit;
          if (data20 && typeof data20 == "object" && !Array.isArray(data20)) {
            for (const key7 of Object.keys(data20)) {
              if (!(key7 === "maxRequestsPerMinute")) {
                const err48 = { instancePath: instancePath + "/policy/rateLimit", schemaPath: "#/$defs/policy/properties/rateLimit/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key7 }, message: "must NOT have additional properties", schema: false, parentSchema: schema35.properties.rateLimit, data: data20 };
                if (vErrors === null) {
                  vErrors = [err48];
                } else {
                  vErrors.push(err48);
                }
                errors++;
              }
            }
            if (data20.maxRequestsPerMinute !== void 0 && func0.call(data20, "maxRequestsPerMinute")) {
              let data21 = data20.maxRequestsPerMinute;
              if (!(typeof data21 == "number" && (!(data21 % 1) && !isNaN(data21)) && isFinite(data21))) {
                const err49 = { instancePath: instancePath + "/policy/rateLimit/maxRequestsPerMinute", schemaPath: "#/$defs/policy/properties/rateLimit/properties/maxRequestsPerMinute/type", keyword: "type", params: { type: "integer" }, message: "must be integer", schema: schema35.properties.rateLimit.properties.maxRequestsPerMinute.type, parentSchema: schema35.properties.rateLimit.properties.maxRequestsPerMinute, data: data21 };
                if (vErrors === null) {
                  vErrors = [err49];
                } else {
                  vErrors.push(err49);
                }
                errors++;
              }
              if (typeof data21 == "number" && isFinite(data21)) {
                if (data21 > 1e7 || isNaN(data21)) {
                  const err50 = { instancePath: instancePath + "/policy/rateLimit/maxRequestsPerMinute", schemaPath: "#/$defs/policy/properties/rateLimit/properties/maxRequestsPerMinute/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e7 }, message: "must be <= 10000000", schema: 1e7, parentSchema: schema35.properties.rateLimit.properties.maxRequestsPerMinute, data: data21 };
                  if (vErrors === null) {
                    vErrors = [err50];
                  } else {
                    vErrors.push(err50);
                  }
                  errors++;
                }
                if (data21 < 1 || isNaN(data21)) {
                  const err51 = { instancePath: instancePath + "/policy/rateLimit/maxRequestsPerMinute", schemaPath: "#/$defs/policy/properties/rateLimit/properties/maxRequestsPerMinute/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1", schema: 1, parentSchema: schema35.properties.rateLimit.properties.maxRequestsPerMinute, data: data21 };
                  if (vErrors === null) {
                    vErrors = [err51];
                  } else {
                    vErrors.push(err51);
                  }
                  errors++;
                }
              }
            }
          } else {
            const err52 = { instancePath: instancePath + "/policy/rateLimit", schemaPath: "#/$defs/policy/properties/rateLimit/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema35.properties.rateLimit.type, parentSchema: schema35.properties.rateLimit, data: data20 };
            if (vErrors === null) {
              vErrors = [err52];
            } else {
              vErrors.push(err52);
            }
            errors++;
          }
        }
      } else {
        const err53 = { instancePath: instancePath + "/policy", schemaPath: "#/$defs/policy/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema35.type, parentSchema: schema35, data: data1 };
        if (vErrors === null) {
          vErrors = [err53];
        } else {
          vErrors.push(err53);
        }
        errors++;
      }
    }
    if (data.entry !== void 0 && func0.call(data, "entry")) {
      let data22 = data.entry;
      if (typeof data22 === "string") {
        if (!pattern6.test(data22)) {
          const err54 = { instancePath: instancePath + "/entry", schemaPath: "#/$defs/unitId/pattern", keyword: "pattern", params: { pattern: "^[\\p{L}\\p{N}_][\\p{L}\\p{M}\\p{N}_.-]{0,255}$" }, message: 'must match pattern "^[\\p{L}\\p{N}_][\\p{L}\\p{M}\\p{N}_.-]{0,255}$"', schema: "^[\\p{L}\\p{N}_][\\p{L}\\p{M}\\p{N}_.-]{0,255}$", parentSchema: schema36, data: data22 };
          if (vErrors === null) {
            vErrors = [err54];
          } else {
            vErrors.push(err54);
          }
          errors++;
        }
      } else {
        const err55 = { instancePath: instancePath + "/entry", schemaPath: "#/$defs/unitId/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema36.type, parentSchema: schema36, data: data22 };
        if (vErrors === null) {
          vErrors = [err55];
        } else {
          vErrors.push(err55);
        }
        errors++;
      }
    }
    if (data.units !== void 0 && func0.call(data, "units")) {
      let data23 = data.units;
      if (Array.isArray(data23)) {
        if (data23.length > 2e4) {
          const err56 = { instancePath: instancePath + "/units", schemaPath: "#/properties/units/maxItems", keyword: "maxItems", params: { limit: 2e4 }, message: "must NOT have more than 20000 items", schema: 2e4, parentSchema: schema34.properties.units, data: data23 };
          if (vErrors === null) {
            vErrors = [err56];
          } else {
            vErrors.push(err56);
          }
          errors++;
        }
        if (data23.length < 1) {
          const err57 = { instancePath: instancePath + "/units", schemaPath: "#/properties/units/minItems", keyword: "minItems", params: { limit: 1 }, message: "must NOT have fewer than 1 items", schema: 1, parentSchema: schema34.properties.units, data: data23 };
          if (vErrors === null) {
            vErrors = [err57];
          } else {
            vErrors.push(err57);
          }
          errors++;
        }
        const len0 = data23.length;
        for (let i0 = 0; i0 < len0; i0++) {
          this.push({ piece: "unit", pointer: instancePath + "/units/" + i0, value: data23[i0] });
        }
      } else {
        const err58 = { instancePath: instancePath + "/units", schemaPath: "#/properties/units/type", keyword: "type", params: { type: "array" }, message: "must be array", schema: schema34.properties.units.type, parentSchema: schema34.properties.units, data: data23 };
        if (vErrors === null) {
          vErrors = [err58];
        } else {
          vErrors.push(err58);
        }
        errors++;
      }
    }
    if (data.flow !== void 0 && func0.call(data, "flow")) {
      this.push({ piece: "flow", pointer: instancePath + "/flow", value: data.flow });
    }
    if (data.onCancel !== void 0 && func0.call(data, "onCancel")) {
      let data26 = data.onCancel;
      if (Array.isArray(data26)) {
        if (data26.length > 100) {
          const err59 = { instancePath: instancePath + "/onCancel", schemaPath: "#/properties/onCancel/maxItems", keyword: "maxItems", params: { limit: 100 }, message: "must NOT have more than 100 items", schema: 100, parentSchema: schema34.properties.onCancel, data: data26 };
          if (vErrors === null) {
            vErrors = [err59];
          } else {
            vErrors.push(err59);
          }
          errors++;
        }
        if (data26.length < 1) {
          const err60 = { instancePath: instancePath + "/onCancel", schemaPath: "#/properties/onCancel/minItems", keyword: "minItems", params: { limit: 1 }, message: "must NOT have fewer than 1 items", schema: 1, parentSchema: schema34.properties.onCancel, data: data26 };
          if (vErrors === null) {
            vErrors = [err60];
          } else {
            vErrors.push(err60);
          }
          errors++;
        }
        const len1 = data26.length;
        for (let i1 = 0; i1 < len1; i1++) {
          let data27 = data26[i1];
          if (typeof data27 === "string") {
            if (!pattern6.test(data27)) {
              const err61 = { instancePath: instancePath + "/onCancel/" + i1, schemaPath: "#/$defs/unitId/pattern", keyword: "pattern", params: { pattern: "^[\\p{L}\\p{N}_][\\p{L}\\p{M}\\p{N}_.-]{0,255}$" }, message: 'must match pattern "^[\\p{L}\\p{N}_][\\p{L}\\p{M}\\p{N}_.-]{0,255}$"', schema: "^[\\p{L}\\p{N}_][\\p{L}\\p{M}\\p{N}_.-]{0,255}$", parentSchema: schema36, data: data27 };
              if (vErrors === null) {
                vErrors = [err61];
              } else {
                vErrors.push(err61);
              }
              errors++;
            }
          } else {
            const err62 = { instancePath: instancePath + "/onCancel/" + i1, schemaPath: "#/$defs/unitId/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema36.type, parentSchema: schema36, data: data27 };
            if (vErrors === null) {
              vErrors = [err62];
            } else {
              vErrors.push(err62);
            }
            errors++;
          }
        }
      } else {
        const err63 = { instancePath: instancePath + "/onCancel", schemaPath: "#/properties/onCancel/type", keyword: "type", params: { type: "array" }, message: "must be array", schema: schema34.properties.onCancel.type, parentSchema: schema34.properties.onCancel, data: data26 };
        if (vErrors === null) {
          vErrors = [err63];
        } else {
          vErrors.push(err63);
        }
        errors++;
      }
    }
  } else {
    const err64 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema34.type, parentSchema: schema34, data };
    if (vErrors === null) {
      vErrors = [err64];
    } else {
      vErrors.push(err64);
    }
    errors++;
  }
  validate22.errors = vErrors;
  return errors === 0;
}
validate22.evaluated = { "props": true, "dynamicProps": false, "dynamicItems": false };
function validate21(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null;
  let errors = 0;
  const evaluated0 = validate21.evaluated;
  if (evaluated0.dynamicProps) {
    evaluated0.props = void 0;
  }
  if (evaluated0.dynamicItems) {
    evaluated0.items = void 0;
  }
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.apiVersion === void 0 || !func0.call(data, "apiVersion")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "apiVersion" }, message: "must have required property 'apiVersion'", schema: schema32.required, parentSchema: schema32, data };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.kind === void 0 || !func0.call(data, "kind")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "kind" }, message: "must have required property 'kind'", schema: schema32.required, parentSchema: schema32, data };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    if (data.metadata === void 0 || !func0.call(data, "metadata")) {
      const err2 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "metadata" }, message: "must have required property 'metadata'", schema: schema32.required, parentSchema: schema32, data };
      if (vErrors === null) {
        vErrors = [err2];
      } else {
        vErrors.push(err2);
      }
      errors++;
    }
    if (data.spec === void 0 || !func0.call(data, "spec")) {
      const err3 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "spec" }, message: "must have required property 'spec'", schema: schema32.required, parentSchema: schema32, data };
      if (vErrors === null) {
        vErrors = [err3];
      } else {
        vErrors.push(err3);
      }
      errors++;
    }
    for (const key0 of Object.keys(data)) {
      if (!(key0 === "apiVersion" || key0 === "kind" || key0 === "metadata" || key0 === "spec")) {
        const err4 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties", schema: false, parentSchema: schema32, data };
        if (vErrors === null) {
          vErrors = [err4];
        } else {
          vErrors.push(err4);
        }
        errors++;
      }
    }
    if (data.apiVersion !== void 0 && func0.call(data, "apiVersion")) {
      let data0 = data.apiVersion;
      if (typeof data0 === "string") {
        if (func65(data0) > 256) {
          const err5 = { instancePath: instancePath + "/apiVersion", schemaPath: "#/properties/apiVersion/maxLength", keyword: "maxLength", params: { limit: 256 }, message: "must NOT have more than 256 characters", schema: 256, parentSchema: schema32.properties.apiVersion, data: data0 };
          if (vErrors === null) {
            vErrors = [err5];
          } else {
            vErrors.push(err5);
          }
          errors++;
        }
        if (func65(data0) < 4) {
          const err6 = { instancePath: instancePath + "/apiVersion", schemaPath: "#/properties/apiVersion/minLength", keyword: "minLength", params: { limit: 4 }, message: "must NOT have fewer than 4 characters", schema: 4, parentSchema: schema32.properties.apiVersion, data: data0 };
          if (vErrors === null) {
            vErrors = [err6];
          } else {
            vErrors.push(err6);
          }
          errors++;
        }
        if (!pattern4.test(data0)) {
          const err7 = { instancePath: instancePath + "/apiVersion", schemaPath: "#/properties/apiVersion/pattern", keyword: "pattern", params: { pattern: "^[A-Za-z0-9][A-Za-z0-9.-]*/v1$" }, message: 'must match pattern "^[A-Za-z0-9][A-Za-z0-9.-]*/v1$"', schema: "^[A-Za-z0-9][A-Za-z0-9.-]*/v1$", parentSchema: schema32.properties.apiVersion, data: data0 };
          if (vErrors === null) {
            vErrors = [err7];
          } else {
            vErrors.push(err7);
          }
          errors++;
        }
      } else {
        const err8 = { instancePath: instancePath + "/apiVersion", schemaPath: "#/properties/apiVersion/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema32.properties.apiVersion.type, parentSchema: schema32.properties.apiVersion, data: data0 };
        if (vErrors === null) {
          vErrors = [err8];
        } else {
          vErrors.push(err8);
        }
        errors++;
      }
    }
    if (data.kind !== void 0 && func0.call(data, "kind")) {
      let data1 = data.kind;
      if ("Workflow" !== data1) {
        const err9 = { instancePath: instancePath + "/kind", schemaPath: "#/properties/kind/const", keyword: "const", params: { allowedValue: "Workflow" }, message: "must be equal to constant", schema: "Workflow", parentSchema: schema32.properties.kind, data: data1 };
        if (vErrors === null) {
          vErrors = [err9];
        } else {
          vErrors.push(err9);
        }
        errors++;
      }
    }
    if (data.metadata !== void 0 && func0.call(data, "metadata")) {
      let data2 = data.metadata;
      if (data2 && typeof data2 == "object" && !Array.isArray(data2)) {
        if (data2.id === void 0 || !func0.call(data2, "id")) {
          const err10 = { instancePath: instancePath + "/metadata", schemaPath: "#/$defs/metadata/required", keyword: "required", params: { missingProperty: "id" }, message: "must have required property 'id'", schema: schema33.required, parentSchema: schema33, data: data2 };
          if (vErrors === null) {
            vErrors = [err10];
          } else {
            vErrors.push(err10);
          }
          errors++;
        }
        for (const key1 of Object.keys(data2)) {
          if (!(key1 === "id" || key1 === "description" || key1 === "labels" || key1 === "annotations")) {
            const err11 = { instancePath: instancePath + "/metadata", schemaPath: "#/$defs/metadata/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key1 }, message: "must NOT have additional properties", schema: false, parentSchema: schema33, data: data2 };
            if (vErrors === null) {
              vErrors = [err11];
            } else {
              vErrors.push(err11);
            }
            errors++;
          }
        }
        if (data2.id !== void 0 && func0.call(data2, "id")) {
          let data3 = data2.id;
          if (typeof data3 === "string") {
            if (func65(data3) > 256) {
              const err12 = { instancePath: instancePath + "/metadata/id", schemaPath: "#/$defs/metadata/properties/id/maxLength", keyword: "maxLength", params: { limit: 256 }, message: "must NOT have more than 256 characters", schema: 256, parentSchema: schema33.properties.id, data: data3 };
              if (vErrors === null) {
                vErrors = [err12];
              } else {
                vErrors.push(err12);
              }
              errors++;
            }
            if (func65(data3) < 1) {
              const err13 = { instancePath: instancePath + "/metadata/id", schemaPath: "#/$defs/metadata/properties/id/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema33.properties.id, data: data3 };
              if (vErrors === null) {
                vErrors = [err13];
              } else {
                vErrors.push(err13);
              }
              errors++;
            }
            if (!pattern5.test(data3)) {
              const err14 = { instancePath: instancePath + "/metadata/id", schemaPath: "#/$defs/metadata/properties/id/pattern", keyword: "pattern", params: { pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f]*$" }, message: 'must match pattern "^[^\\u0000-\\u001f\\u007f-\\u009f]*$"', schema: "^[^\\u0000-\\u001f\\u007f-\\u009f]*$", parentSchema: schema33.properties.id, data: data3 };
              if (vErrors === null) {
                vErrors = [err14];
              } else {
                vErrors.push(err14);
              }
              errors++;
            }
          } else {
            const err15 = { instancePath: instancePath + "/metadata/id", schemaPath: "#/$defs/metadata/properties/id/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema33.properties.id.type, parentSchema: schema33.properties.id, data: data3 };
            if (vErrors === null) {
              vErrors = [err15];
            } else {
              vErrors.push(err15);
            }
            errors++;
          }
        }
        if (data2.description !== void 0 && func0.call(data2, "description")) {
          let data4 = data2.description;
          if (typeof data4 === "string") {
            if (func65(data4) > 1e4) {
              const err16 = { instancePath: instancePath + "/metadata/description", schemaPath: "#/$defs/metadata/properties/description/maxLength", keyword: "maxLength", params: { limit: 1e4 }, message: "must NOT have more than 10000 characters", schema: 1e4, parentSchema: schema33.properties.description, data: data4 };
              if (vErrors === null) {
                vErrors = [err16];
              } else {
                vErrors.push(err16);
              }
              errors++;
            }
          } else {
            const err17 = { instancePath: instancePath + "/metadata/description", schemaPath: "#/$defs/metadata/properties/description/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema33.properties.description.type, parentSchema: schema33.properties.description, data: data4 };
            if (vErrors === null) {
              vErrors = [err17];
            } else {
              vErrors.push(err17);
            }
            errors++;
          }
        }
        if (data2.labels !== void 0 && func0.call(data2, "labels")) {
          let data5 = data2.labels;
          if (data5 && typeof data5 == "object" && !Array.isArray(data5)) {
            if (Object.keys(data5).length > 100) {
              const err18 = { instancePath: instancePath + "/metadata/labels", schemaPath: "#/$defs/metadata/properties/labels/maxProperties", keyword: "maxProperties", params: { limit: 100 }, message: "must NOT have more than 100 properties", schema: 100, parentSchema: schema33.properties.labels, data: data5 };
              if (vErrors === null) {
                vErrors = [err18];
              } else {
                vErrors.push(err18);
              }
              errors++;
            }
            for (const key2 of Object.keys(data5)) {
              const _errs17 = errors;
              if (typeof key2 === "string") {
                if (func65(key2) > 256) {
                  const err19 = { instancePath: instancePath + "/metadata/labels", schemaPath: "#/$defs/metadata/properties/labels/propertyNames/maxLength", keyword: "maxLength", params: { limit: 256 }, message: "must NOT have more than 256 characters", schema: 256, parentSchema: schema33.properties.labels.propertyNames, data: key2, propertyName: key2 };
                  if (vErrors === null) {
                    vErrors = [err19];
                  } else {
                    vErrors.push(err19);
                  }
                  errors++;
                }
                if (func65(key2) < 1) {
                  const err20 = { instancePath: instancePath + "/metadata/labels", schemaPath: "#/$defs/metadata/properties/labels/propertyNames/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema33.properties.labels.propertyNames, data: key2, propertyName: key2 };
                  if (vErrors === null) {
                    vErrors = [err20];
                  } else {
                    vErrors.push(err20);
                  }
                  errors++;
                }
              }
              var valid3 = _errs17 === errors;
              if (!valid3) {
                const err21 = { instancePath: instancePath + "/metadata/labels", schemaPath: "#/$defs/metadata/properties/labels/propertyNames", keyword: "propertyNames", params: { propertyName: key2 }, message: "property name must be valid", schema: schema33.properties.labels.propertyNames, parentSchema: schema33.properties.labels, data: data5 };
                if (vErrors === null) {
                  vErrors = [err21];
                } else {
                  vErrors.push(err21);
                }
                errors++;
              }
            }
            for (const key3 of Object.keys(data5)) {
              let data6 = data5[key3];
              if (typeof data6 === "string") {
                if (func65(data6) > 1024) {
                  const err22 = { instancePath: instancePath + "/metadata/labels/" + key3.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/$defs/metadata/properties/labels/additionalProperties/maxLength", keyword: "maxLength", params: { limit: 1024 }, message: "must NOT have more than 1024 characters", schema: 1024, parentSchema: schema33.properties.labels.additionalProperties, data: data6 };
                  if (vErrors === null) {
                    vErrors = [err22];
                  } else {
                    vErrors.push(err22);
                  }
                  errors++;
                }
              } else {
                const err23 = { instancePath: instancePath + "/metadata/labels/" + key3.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/$defs/metadata/properties/labels/additionalProperties/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema33.properties.labels.additionalProperties.type, parentSchema: schema33.properties.labels.additionalProperties, data: data6 };
                if (vErrors === null) {
                  vErrors = [err23];
                } else {
                  vErrors.push(err23);
                }
                errors++;
              }
            }
          } else {
            const err24 = { instancePath: instancePath + "/metadata/labels", schemaPath: "#/$defs/metadata/properties/labels/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema33.properties.labels.type, parentSchema: schema33.properties.labels, data: data5 };
            if (vErrors === null) {
              vErrors = [err24];
            } else {
              vErrors.push(err24);
            }
            errors++;
          }
        }
        if (data2.annotations !== void 0 && func0.call(data2, "annotations")) {
          let data7 = data2.annotations;
          if (data7 && typeof data7 == "object" && !Array.isArray(data7)) {
            if (Object.keys(data7).length > 100) {
              const err25 = { instancePath: instancePath + "/metadata/annotations", schemaPath: "#/$defs/metadata/properties/annotations/maxProperties", keyword: "maxProperties", params: { limit: 100 }, message: "must NOT have more than 100 properties", schema: 100, parentSchema: schema33.properties.annotations, data: data7 };
              if (vErrors === null) {
                vErrors = [err25];
              } else {
                vErrors.push(err25);
              }
              errors++;
            }
            for (const key4 of Object.keys(data7)) {
              const _errs23 = errors;
              if (typeof key4 === "string") {
                if (func65(key4) > 256) {
                  const err26 = { instancePath: instancePath + "/metadata/annotations", schemaPath: "#/$defs/metadata/properties/annotations/propertyNames/maxLength", keyword: "maxLength", params: { limit: 256 }, message: "must NOT have more than 256 characters", schema: 256, parentSchema: schema33.properties.annotations.propertyNames, data: key4, propertyName: key4 };
                  if (vErrors === null) {
                    vErrors = [err26];
                  } else {
                    vErrors.push(err26);
                  }
                  errors++;
                }
                if (func65(key4) < 1) {
                  const err27 = { instancePath: instancePath + "/metadata/annotations", schemaPath: "#/$defs/metadata/properties/annotations/propertyNames/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema33.properties.annotations.propertyNames, data: key4, propertyName: key4 };
                  if (vErrors === null) {
                    vErrors = [err27];
                  } else {
                    vErrors.push(err27);
                  }
                  errors++;
                }
              }
              var valid5 = _errs23 === errors;
              if (!valid5) {
                const err28 = { instancePath: instancePath + "/metadata/annotations", schemaPath: "#/$defs/metadata/properties/annotations/propertyNames", keyword: "propertyNames", params: { propertyName: key4 }, message: "property name must be valid", schema: schema33.properties.annotations.propertyNames, parentSchema: schema33.properties.annotations, data: data7 };
                if (vErrors === null) {
                  vErrors = [err28];
                } else {
                  vErrors.push(err28);
                }
                errors++;
              }
            }
            for (const key5 of Object.keys(data7)) {
              let data8 = data7[key5];
              if (typeof data8 !== "string" && !(typeof data8 == "number" && isFinite(data8)) && typeof data8 !== "boolean") {
                const err29 = { instancePath: instancePath + "/metadata/annotations/" + key5.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/$defs/metadata/properties/annotations/additionalProperties/type", keyword: "type", params: { type: schema33.properties.annotations.additionalProperties.type }, message: "must be string,number,boolean", schema: schema33.properties.annotations.additionalProperties.type, parentSchema: schema33.properties.annotations.additionalProperties, data: data8 };
                if (vErrors === null) {
                  vErrors = [err29];
                } else {
                  vErrors.push(err29);
                }
                errors++;
              }
              if (typeof data8 === "string") {
                if (func65(data8) > 1024) {
                  const err30 = { instancePath: instancePath + "/metadata/annotations/" + key5.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/$defs/metadata/properties/annotations/additionalProperties/maxLength", keyword: "maxLength", params: { limit: 1024 }, message: "must NOT have more than 1024 characters", schema: 1024, parentSchema: schema33.properties.annotations.additionalProperties, data: data8 };
                  if (vErrors === null) {
                    vErrors = [err30];
                  } else {
                    vErrors.push(err30);
                  }
                  errors++;
                }
              }
            }
          } else {
            const err31 = { instancePath: instancePath + "/metadata/annotations", schemaPath: "#/$defs/metadata/properties/annotations/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema33.properties.annotations.type, parentSchema: schema33.properties.annotations, data: data7 };
            if (vErrors === null) {
              vErrors = [err31];
            } else {
              vErrors.push(err31);
            }
            errors++;
          }
        }
      } else {
        const err32 = { instancePath: instancePath + "/metadata", schemaPath: "#/$defs/metadata/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema33.type, parentSchema: schema33, data: data2 };
        if (vErrors === null) {
          vErrors = [err32];
        } else {
          vErrors.push(err32);
        }
        errors++;
      }
    }
    if (data.spec !== void 0 && func0.call(data, "spec")) {
      if (!validate22.call(this, data.spec, { instancePath: instancePath + "/spec", parentData: data, parentDataProperty: "spec", rootData, dynamicAnchors })) {
        vErrors = vErrors === null ? validate22.errors : vErrors.concat(validate22.errors);
        errors = vErrors.length;
      }
    }
  } else {
    const err33 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema32.type, parentSchema: schema32, data };
    if (vErrors === null) {
      vErrors = [err33];
    } else {
      vErrors.push(err33);
    }
    errors++;
  }
  validate21.errors = vErrors;
  return errors === 0;
}
validate21.evaluated = { "props": true, "dynamicProps": false, "dynamicItems": false };
function validate20(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null;
  let errors = 0;
  const evaluated0 = validate20.evaluated;
  if (evaluated0.dynamicProps) {
    evaluated0.props = void 0;
  }
  if (evaluated0.dynamicItems) {
    evaluated0.items = void 0;
  }
  if (!validate21.call(this, data, { instancePath, parentData, parentDataProperty, rootData, dynamicAnchors })) {
    vErrors = vErrors === null ? validate21.errors : vErrors.concat(validate21.errors);
    errors = vErrors.length;
  }
  validate20.errors = vErrors;
  return errors === 0;
}
validate20.evaluated = { "props": true, "dynamicProps": false, "dynamicItems": false };
var unit = validate25;
var schema39 = { "type": "object", "required": ["id", "uses"], "additionalProperties": false, "properties": { "id": { "$ref": "#/$defs/unitId" }, "uses": { "type": "string", "minLength": 1, "maxLength": 256, "pattern": "^[^\\u0000-\\u001f\\u007f-\\u009f]*$", "$comment": "must not contain control characters" }, "config": { "type": "object" }, "with": { "type": ["object", "string"], "maxLength": 1e5 }, "if": { "$ref": "#/$defs/expression" }, "pause": { "enum": ["before", "after"] }, "policyOverrides": { "$ref": "#/$defs/policy" }, "contextPolicy": { "$ref": "#/$defs/contextPolicy" } } };
var schema41 = { "type": "string", "minLength": 1, "maxLength": 1e4 };
var schema43 = { "type": "object", "properties": { "state": { "type": ["string", "array"], "if": { "type": "string" }, "then": { "enum": ["all", "none"] }, "else": { "maxItems": 1e4, "items": { "$ref": "#/$defs/stateKey" } } }, "memory": { "type": "object", "properties": { "record": { "type": "boolean" } } } } };
var schema44 = { "type": "string", "minLength": 1, "maxLength": 512 };
function validate27(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null;
  let errors = 0;
  const evaluated0 = validate27.evaluated;
  if (evaluated0.dynamicProps) {
    evaluated0.props = void 0;
  }
  if (evaluated0.dynamicItems) {
    evaluated0.items = void 0;
  }
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.state !== void 0 && func0.call(data, "state")) {
      let data0 = data.state;
      if (typeof data0 !== "string" && !Array.isArray(data0)) {
        const err0 = { instancePath: instancePath + "/state", schemaPath: "#/properties/state/type", keyword: "type", params: { type: schema43.properties.state.type }, message: "must be string,array", schema: schema43.properties.state.type, parentSchema: schema43.properties.state, data: data0 };
        if (vErrors === null) {
          vErrors = [err0];
        } else {
          vErrors.push(err0);
        }
        errors++;
      }
      const _errs3 = errors;
      let valid1 = true;
      const _errs4 = errors;
      if (typeof data0 !== "string") {
        const err1 = {};
        if (vErrors === null) {
          vErrors = [err1];
        } else {
          vErrors.push(err1);
        }
        errors++;
      }
      var _valid0 = _errs4 === errors;
      errors = _errs3;
      if (vErrors !== null) {
        if (_errs3) {
          vErrors.length = _errs3;
        } else {
          vErrors = null;
        }
      }
      let ifClause0;
      if (_valid0) {
        const _errs6 = errors;
        if (!(data0 === "all" || data0 === "none")) {
          const err2 = { instancePath: instancePath + "/state", schemaPath: "#/properties/state/then/enum", keyword: "enum", params: { allowedValues: schema43.properties.state.then.enum }, message: "must be equal to one of the allowed values", schema: schema43.properties.state.then.enum, parentSchema: schema43.properties.state.then, data: data0 };
          if (vErrors === null) {
            vErrors = [err2];
          } else {
            vErrors.push(err2);
          }
          errors++;
        }
        var _valid0 = _errs6 === errors;
        valid1 = _valid0;
        ifClause0 = "then";
      } else {
        const _errs7 = errors;
        if (Array.isArray(data0)) {
          if (data0.length > 1e4) {
            const err3 = { instancePath: instancePath + "/state", schemaPath: "#/properties/state/else/maxItems", keyword: "maxItems", params: { limit: 1e4 }, message: "must NOT have more than 10000 items", schema: 1e4, parentSchema: schema43.properties.state.else, data: data0 };
            if (vErrors === null) {
              vErrors = [err3];
            } else {
              vErrors.push(err3);
            }
            errors++;
          }
          const len0 = data0.length;
          for (let i0 = 0; i0 < len0; i0++) {
            let data1 = data0[i0];
            if (typeof data1 === "string") {
              if (func65(data1) > 512) {
                const err4 = { instancePath: instancePath + "/state/" + i0, schemaPath: "#/$defs/stateKey/maxLength", keyword: "maxLength", params: { limit: 512 }, message: "must NOT have more than 512 characters", schema: 512, parentSchema: schema44, data: data1 };
                if (vErrors === null) {
                  vErrors = [err4];
                } else {
                  vErrors.push(err4);
                }
                errors++;
              }
              if (func65(data1) < 1) {
                const err5 = { instancePath: instancePath + "/state/" + i0, schemaPath: "#/$defs/stateKey/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema44, data: data1 };
                if (vErrors === null) {
                  vErrors = [err5];
                } else {
                  vErrors.push(err5);
                }
                errors++;
              }
            } else {
              const err6 = { instancePath: instancePath + "/state/" + i0, schemaPath: "#/$defs/stateKey/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema44.type, parentSchema: schema44, data: data1 };
              if (vErrors === null) {
                vErrors = [err6];
              } else {
                vErrors.push(err6);
              }
              errors++;
            }
          }
        }
        var _valid0 = _errs7 === errors;
        valid1 = _valid0;
        ifClause0 = "else";
      }
      if (!valid1) {
        const err7 = { instancePath: instancePath + "/state", schemaPath: "#/properties/state/if", keyword: "if", params: { failingKeyword: ifClause0 }, message: 'must match "' + ifClause0 + '" schema', schema: schema43.properties.state.if, parentSchema: schema43.properties.state, data: data0 };
        if (vErrors === null) {
          vErrors = [err7];
        } else {
          vErrors.push(err7);
        }
        errors++;
      }
    }
    if (data.memory !== void 0 && func0.call(data, "memory")) {
      let data2 = data.memory;
      if (data2 && typeof data2 == "object" && !Array.isArray(data2)) {
        if (data2.record !== void 0 && func0.call(data2, "record")) {
          let data3 = data2.record;
          if (typeof data3 !== "boolean") {
            const err8 = { instancePath: instancePath + "/memory/record", schemaPath: "#/properties/memory/properties/record/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean", schema: schema43.properties.memory.properties.record.type, parentSchema: schema43.properties.memory.properties.record, data: data3 };
            if (vErrors === null) {
              vErrors = [err8];
            } else {
              vErrors.push(err8);
            }
            errors++;
          }
        }
      } else {
        const err9 = { instancePath: instancePath + "/memory", schemaPath: "#/properties/memory/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema43.properties.memory.type, parentSchema: schema43.properties.memory, data: data2 };
        if (vErrors === null) {
          vErrors = [err9];
        } else {
          vErrors.push(err9);
        }
        errors++;
      }
    }
  } else {
    const err10 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema43.type, parentSchema: schema43, data };
    if (vErrors === null) {
      vErrors = [err10];
    } else {
      vErrors.push(err10);
    }
    errors++;
  }
  validate27.errors = vErrors;
  return errors === 0;
}
validate27.evaluated = { "props": { "state": true, "memory": true }, "dynamicProps": false, "dynamicItems": false };
function validate26(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null;
  let errors = 0;
  const evaluated0 = validate26.evaluated;
  if (evaluated0.dynamicProps) {
    evaluated0.props = void 0;
  }
  if (evaluated0.dynamicItems) {
    evaluated0.items = void 0;
  }
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.id === void 0 || !func0.call(data, "id")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "id" }, message: "must have required property 'id'", schema: schema39.required, parentSchema: schema39, data };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.uses === void 0 || !func0.call(data, "uses")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "uses" }, message: "must have required property 'uses'", schema: schema39.required, parentSchema: schema39, data };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    for (const key0 of Object.keys(data)) {
      if (!(key0 === "id" || key0 === "uses" || key0 === "config" || key0 === "with" || key0 === "if" || key0 === "pause" || key0 === "policyOverrides" || key0 === "contextPolicy")) {
        const err2 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties", schema: false, parentSchema: schema39, data };
        if (vErrors === null) {
          vErrors = [err2];
        } else {
          vErrors.push(err2);
        }
        errors++;
      }
    }
    if (data.id !== void 0 && func0.call(data, "id")) {
      let data0 = data.id;
      if (typeof data0 === "string") {
        if (!pattern6.test(data0)) {
          const err3 = { instancePath: instancePath + "/id", schemaPath: "#/$defs/unitId/pattern", keyword: "pattern", params: { pattern: "^[\\p{L}\\p{N}_][\\p{L}\\p{M}\\p{N}_.-]{0,255}$" }, message: 'must match pattern "^[\\p{L}\\p{N}_][\\p{L}\\p{M}\\p{N}_.-]{0,255}$"', schema: "^[\\p{L}\\p{N}_][\\p{L}\\p{M}\\p{N}_.-]{0,255}$", parentSchema: schema36, data: data0 };
          if (vErrors === null) {
            vErrors = [err3];
          } else {
            vErrors.push(err3);
          }
          errors++;
        }
      } else {
        const err4 = { instancePath: instancePath + "/id", schemaPath: "#/$defs/unitId/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema36.type, parentSchema: schema36, data: data0 };
        if (vErrors === null) {
          vErrors = [err4];
        } else {
          vErrors.push(err4);
        }
        errors++;
      }
    }
    if (data.uses !== void 0 && func0.call(data, "uses")) {
      let data1 = data.uses;
      if (typeof data1 === "string") {
        if (func65(data1) > 256) {
          const err5 = { instancePath: instancePath + "/uses", schemaPath: "#/properties/uses/maxLength", keyword: "maxLength", params: { limit: 256 }, message: "must NOT have more than 256 characters", schema: 256, parentSchema: schema39.properties.uses, data: data1 };
          if (vErrors === null) {
            vErrors = [err5];
          } else {
            vErrors.push(err5);
          }
          errors++;
        }
        if (func65(data1) < 1) {
          const err6 = { instancePath: instancePath + "/uses", schemaPath: "#/properties/uses/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema39.properties.uses, data: data1 };
          if (vErrors === null) {
            vErrors = [err6];
          } else {
            vErrors.push(err6);
          }
          errors++;
        }
        if (!pattern5.test(data1)) {
          const err7 = { instancePath: instancePath + "/uses", schemaPath: "#/properties/uses/pattern", keyword: "pattern", params: { pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f]*$" }, message: 'must match pattern "^[^\\u0000-\\u001f\\u007f-\\u009f]*$"', schema: "^[^\\u0000-\\u001f\\u007f-\\u009f]*$", parentSchema: schema39.properties.uses, data: data1 };
          if (vErrors === null) {
            vErrors = [err7];
          } else {
            vErrors.push(err7);
          }
          errors++;
        }
      } else {
        const err8 = { instancePath: instancePath + "/uses", schemaPath: "#/properties/uses/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema39.properties.uses.type, parentSchema: schema39.properties.uses, data: data1 };
        if (vErrors === null) {
          vErrors = [err8];
        } else {
          vErrors.push(err8);
        }
        errors++;
      }
    }
    if (data.config !== void 0 && func0.call(data, "config")) {
      let data2 = data.config;
      if (!(data2 && typeof data2 == "object" && !Array.isArray(data2))) {
        const err9 = { instancePath: instancePath + "/config", schemaPath: "#/properties/config/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema39.properties.config.type, parentSchema: schema39.properties.config, data: data2 };
        if (vErrors === null) {
          vErrors = [err9];
        } else {
          vErrors.push(err9);
        }
        errors++;
      }
    }
    if (data.with !== void 0 && func0.call(data, "with")) {
      let data3 = data.with;
      if (!(data3 && typeof data3 == "object" && !Array.isArray(data3)) && typeof data3 !== "string") {
        const err10 = { instancePath: instancePath + "/with", schemaPath: "#/properties/with/type", keyword: "type", params: { type: schema39.properties.with.type }, message: "must be object,string", schema: schema39.properties.with.type, parentSchema: schema39.properties.with, data: data3 };
        if (vErrors === null) {
          vErrors = [err10];
        } else {
          vErrors.push(err10);
        }
        errors++;
      }
      if (typeof data3 === "string") {
        if (func65(data3) > 1e5) {
          const err11 = { instancePath: instancePath + "/with", schemaPath: "#/properties/with/maxLength", keyword: "maxLength", params: { limit: 1e5 }, message: "must NOT have more than 100000 characters", schema: 1e5, parentSchema: schema39.properties.with, data: data3 };
          if (vErrors === null) {
            vErrors = [err11];
          } else {
            vErrors.push(err11);
          }
          errors++;
        }
      }
    }
    if (data.if !== void 0 && func0.call(data, "if")) {
      let data4 = data.if;
      if (typeof data4 === "string") {
        if (func65(data4) > 1e4) {
          const err12 = { instancePath: instancePath + "/if", schemaPath: "#/$defs/expression/maxLength", keyword: "maxLength", params: { limit: 1e4 }, message: "must NOT have more than 10000 characters", schema: 1e4, parentSchema: schema41, data: data4 };
          if (vErrors === null) {
            vErrors = [err12];
          } else {
            vErrors.push(err12);
          }
          errors++;
        }
        if (func65(data4) < 1) {
          const err13 = { instancePath: instancePath + "/if", schemaPath: "#/$defs/expression/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema41, data: data4 };
          if (vErrors === null) {
            vErrors = [err13];
          } else {
            vErrors.push(err13);
          }
          errors++;
        }
      } else {
        const err14 = { instancePath: instancePath + "/if", schemaPath: "#/$defs/expression/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema41.type, parentSchema: schema41, data: data4 };
        if (vErrors === null) {
          vErrors = [err14];
        } else {
          vErrors.push(err14);
        }
        errors++;
      }
    }
    if (data.pause !== void 0 && func0.call(data, "pause")) {
      let data5 = data.pause;
      if (!(data5 === "before" || data5 === "after")) {
        const err15 = { instancePath: instancePath + "/pause", schemaPath: "#/properties/pause/enum", keyword: "enum", params: { allowedValues: schema39.properties.pause.enum }, message: "must be equal to one of the allowed values", schema: schema39.properties.pause.enum, parentSchema: schema39.properties.pause, data: data5 };
        if (vErrors === null) {
          vErrors = [err15];
        } else {
          vErrors.push(err15);
        }
        errors++;
      }
    }
    if (data.policyOverrides !== void 0 && func0.call(data, "policyOverrides")) {
      let data6 = data.policyOverrides;
      if (data6 && typeof data6 == "object" && !Array.isArray(data6)) {
        for (const key1 of Object.keys(data6)) {
          if (!(key1 === "retry" || key1 === "timeout" || key1 === "budget" || key1 === "concurrency" || key1 === "circuitBreaker" || key1 === "rateLimit")) {
            const err16 = { instancePath: instancePath + "/policyOverrides", schemaPath: "#/$defs/policy/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key1 }, message: "must NOT have additional properties", schema: false, parentSchema: schema35, data: data6 };
            if (vErrors === null) {
              vErrors = [err16];
            } else {
              vErrors.push(err16);
            }
            errors++;
          }
        }
        if (data6.retry !== void 0 && func0.call(data6, "retry")) {
          let data7 = data6.retry;
          if (data7 && typeof data7 == "object" && !Array.isArray(data7)) {
            for (const key2 of Object.keys(data7)) {
              if (!(key2 === "maxAttempts" || key2 === "backoff" || key2 === "baseMs" || key2 === "maxMs" || key2 === "jitter")) {
                const err17 = { instancePath: instancePath + "/policyOverrides/retry", schemaPath: "#/$defs/policy/properties/retry/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key2 }, message: "must NOT have additional properties", schema: false, parentSchema: schema35.properties.retry, data: data7 };
                if (vErrors === null) {
                  vErrors = [err17];
                } else {
                  vErrors.push(err17);
                }
                errors++;
              }
            }
            if (data7.maxAttempts !== void 0 && func0.call(data7, "maxAttempts")) {
              let data8 = data7.maxAttempts;
              if (!(typeof data8 == "number" && (!(data8 % 1) && !isNaN(data8)) && isFinite(data8))) {
                const err18 = { instancePath: instancePath + "/policyOverrides/retry/maxAttempts", schemaPath: "#/$defs/policy/properties/retry/properties/maxAttempts/type", keyword: "type", params: { type: "integer" }, message: "must be integer", schema: schema35.properties.retry.properties.maxAttempts.type, parentSchema: schema35.properties.retry.properties.maxAttempts, data: data8 };
                if (vErrors === null) {
                  vErrors = [err18];
                } else {
                  vErrors.push(err18);
                }
                errors++;
              }
              if (typeof data8 == "number" && isFinite(data8)) {
                if (data8 > 100 || isNaN(data8)) {
                  const err19 = { instancePath: instancePath + "/policyOverrides/retry/maxAttempts", schemaPath: "#/$defs/policy/properties/retry/properties/maxAttempts/maximum", keyword: "maximum", params: { comparison: "<=", limit: 100 }, message: "must be <= 100", schema: 100, parentSchema: schema35.properties.retry.properties.maxAttempts, data: data8 };
                  if (vErrors === null) {
                    vErrors = [err19];
                  } else {
                    vErrors.push(err19);
                  }
                  errors++;
                }
                if (data8 < 0 || isNaN(data8)) {
                  const err20 = { instancePath: instancePath + "/policyOverrides/retry/maxAttempts", schemaPath: "#/$defs/policy/properties/retry/properties/maxAttempts/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0", schema: 0, parentSchema: schema35.properties.retry.properties.maxAttempts, data: data8 };
                  if (vErrors === null) {
                    vErrors = [err20];
                  } else {
                    vErrors.push(err20);
                  }
                  errors++;
                }
              }
            }
            if (data7.backoff !== void 0 && func0.call(data7, "backoff")) {
              let data9 = data7.backoff;
              if (!(data9 === "fixed" || data9 === "exponential")) {
                const err21 = { instancePath: instancePath + "/policyOverrides/retry/backoff", schemaPath: "#/$defs/policy/properties/retry/properties/backoff/enum", keyword: "enum", params: { allowedValues: schema35.properties.retry.properties.backoff.enum }, message: "must be equal to one of the allowed values", schema: schema35.properties.retry.properties.backoff.enum, parentSchema: schema35.properties.retry.properties.backoff, data: data9 };
                if (vErrors === null) {
                  vErrors = [err21];
                } else {
                  vErrors.push(err21);
                }
                errors++;
              }
            }
            if (data7.baseMs !== void 0 && func0.call(data7, "baseMs")) {
              let data10 = data7.baseMs;
              if (!(typeof data10 == "number" && (!(data10 % 1) && !isNaN(data10)) && isFinite(data10))) {
                const err22 = { instancePath: instancePath + "/policyOverrides/retry/baseMs", schemaPath: "#/$defs/policy/properties/retry/properties/baseMs/type", keyword: "type", params: { type: "integer" }, message: "must be integer", schema: schema35.properties.retry.properties.baseMs.type, parentSchema: schema35.properties.retry.properties.baseMs, data: data10 };
                if (vErrors === null) {
                  vErrors = [err22];
                } else {
                  vErrors.push(err22);
                }
                errors++;
              }
              if (typeof data10 == "number" && isFinite(data10)) {
                if (data10 > 315576e6 || isNaN(data10)) {
                  const err23 = { instancePath: instancePath + "/policyOverrides/retry/baseMs", schemaPath: "#/$defs/policy/properties/retry/properties/baseMs/maximum", keyword: "maximum", params: { comparison: "<=", limit: 315576e6 }, message: "must be <= 315576000000", schema: 315576e6, parentSchema: schema35.properties.retry.properties.baseMs, data: data10 };
                  if (vErrors === null) {
                    vErrors = [err23];
                  } else {
                    vErrors.push(err23);
                  }
                  errors++;
                }
                if (data10 < 0 || isNaN(data10)) {
                  const err24 = { instancePath: instancePath + "/policyOverrides/retry/baseMs", schemaPath: "#/$defs/policy/properties/retry/properties/baseMs/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0", schema: 0, parentSchema: schema35.properties.retry.properties.baseMs, data: data10 };
                  if (vErrors === null) {
                    vErrors = [err24];
                  } else {
                    vErrors.push(err24);
                  }
                  errors++;
                }
              }
            }
            if (data7.maxMs !== void 0 && func0.call(data7, "maxMs")) {
              let data11 = data7.maxMs;
              if (!(typeof data11 == "number" && (!(data11 % 1) && !isNaN(data11)) && isFinite(data11))) {
                const err25 = { instancePath: instancePath + "/policyOverrides/retry/maxMs", schemaPath: "#/$defs/policy/properties/retry/properties/maxMs/type", keyword: "type", params: { type: "integer" }, message: "must be integer", schema: schema35.properties.retry.properties.maxMs.type, parentSchema: schema35.properties.retry.properties.maxMs, data: data11 };
                if (vErrors === null) {
                  vErrors = [err25];
                } else {
                  vErrors.push(err25);
                }
                errors++;
              }
              if (typeof data11 == "number" && isFinite(data11)) {
                if (data11 > 315576e6 || isNaN(data11)) {
                  const err26 = { instancePath: instancePath + "/policyOverrides/retry/maxMs", schemaPath: "#/$defs/policy/properties/retry/properties/maxMs/maximum", keyword: "maximum", params: { comparison: "<=", limit: 315576e6 }, message: "must be <= 315576000000", schema: 315576e6, parentSchema: schema35.properties.retry.properties.maxMs, data: data11 };
                  if (vErrors === null) {
                    vErrors = [err26];
                  } else {
                    vErrors.push(err26);
                  }
                  errors++;
                }
                if (data11 < 0 || isNaN(data11)) {
                  const err27 = { instancePath: instancePath + "/policyOverrides/retry/maxMs", schemaPath: "#/$defs/policy/properties/retry/properties/maxMs/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0", schema: 0, parentSchema: schema35.properties.retry.properties.maxMs, data: data11 };
                  if (vErrors === null) {
                    vErrors = [err27];
                  } else {
                    vErrors.push(err27);
                  }
                  errors++;
                }
              }
            }
            if (data7.jitter !== void 0 && func0.call(data7, "jitter")) {
              let data12 = data7.jitter;
              if (typeof data12 !== "boolean") {
                const err28 = { instancePath: instancePath + "/policyOverrides/retry/jitter", schemaPath: "#/$defs/policy/properties/retry/properties/jitter/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean", schema: schema35.properties.retry.properties.jitter.type, parentSchema: schema35.properties.retry.properties.jitter, data: data12 };
                if (vErrors === null) {
                  vErrors = [err28];
                } else {
                  vErrors.push(err28);
                }
                errors++;
              }
            }
          } else {
            const err29 = { instancePath: instancePath + "/policyOverrides/retry", schemaPath: "#/$defs/policy/properties/retry/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema35.properties.retry.type, parentSchema: schema35.properties.retry, data: data7 };
            if (vErrors === null) {
              vErrors = [err29];
            } else {
              vErrors.push(err29);
            }
            errors++;
          }
        }
        if (data6.timeout !== void 0 && func0.call(data6, "timeout")) {
          let data13 = data6.timeout;
          if (data13 && typeof data13 == "object" && !Array.isArray(data13)) {
            for (const key3 of Object.keys(data13)) {
              if (!(key3 === "unitMs" || key3 === "workflowMs")) {
                const err30 = { instancePath: instancePath + "/policyOverrides/timeout", schemaPath: "#/$defs/policy/properties/timeout/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key3 }, message: "must NOT have additional properties", schema: false, parentSchema: schema35.properties.timeout, data: data13 };
                if (vErrors === null) {
                  vErrors = [err30];
                } else {
                  vErrors.push(err30);
                }
                errors++;
              }
            }
            if (data13.unitMs !== void 0 && func0.call(data13, "unitMs")) {
              let data14 = data13.unitMs;
              if (!(typeof data14 == "number" && (!(data14 % 1) && !isNaN(data14)) && isFinite(data14))) {
                const err31 = { instancePath: instancePath + "/policyOverrides/timeout/unitMs", schemaPath: "#/$defs/policy/properties/timeout/properties/unitMs/type", keyword: "type", params: { type: "integer" }, message: "must be integer", schema: schema35.properties.timeout.properties.unitMs.type, parentSchema: schema35.properties.timeout.properties.unitMs, data: data14 };
                if (vErrors === null) {
                  vErrors = [err31];
                } else {
                  vErrors.push(err31);
                }
                errors++;
              }
              if (typeof data14 == "number" && isFinite(data14)) {
                if (data14 > 315576e6 || isNaN(data14)) {
                  const err32 = { instancePath: instancePath + "/policyOverrides/timeout/unitMs", schemaPath: "#/$defs/policy/properties/timeout/properties/unitMs/maximum", keyword: "maximum", params: { comparison: "<=", limit: 315576e6 }, message: "must be <= 315576000000", schema: 315576e6, parentSchema: schema35.properties.timeout.properties.unitMs, data: data14 };
                  if (vErrors === null) {
                    vErrors = [err32];
                  } else {
                    vErrors.push(err32);
                  }
                  errors++;
                }
                if (data14 < 1 || isNaN(data14)) {
                  const err33 = { instancePath: instancePath + "/policyOverrides/timeout/unitMs", schemaPath: "#/$defs/policy/properties/timeout/properties/unitMs/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1", schema: 1, parentSchema: schema35.properties.timeout.properties.unitMs, data: data14 };
                  if (vErrors === null) {
                    vErrors = [err33];
                  } else {
                    vErrors.push(err33);
                  }
                  errors++;
                }
              }
            }
            if (data13.workflowMs !== void 0 && func0.call(data13, "workflowMs")) {
              let data15 = data13.workflowMs;
              if (!(typeof data15 == "number" && (!(data15 % 1) && !isNaN(data15)) && isFinite(data15))) {
                const err34 = { instancePath: instancePath + "/policyOverrides/timeout/workflowMs", schemaPath: "#/$defs/policy/properties/timeout/properties/workflowMs/type", keyword: "type", params: { type: "integer" }, message: "must be integer", schema: schema35.properties.timeout.properties.workflowMs.type, parentSchema: schema35.properties.timeout.properties.workflowMs, data: data15 };
                if (vErrors === null) {
                  vErrors = [err34];
                } else {
                  vErrors.push(err34);
                }
                errors++;
              }
              if (typeof data15 == "number" && isFinite(data15)) {
                if (data15 > 315576e6 || isNaN(data15)) {
                  const err35 = { instancePath: instancePath + "/policyOverrides/timeout/workflowMs", schemaPath: "#/$defs/policy/properties/timeout/properties/workflowMs/maximum", keyword: "maximum", params: { comparison: "<=", limit: 315576e6 }, message: "must be <= 315576000000", schema: 315576e6, parentSchema: schema35.properties.timeout.properties.workflowMs, data: data15 };
                  if (vErrors === null) {
                    vErrors = [err35];
                  } else {
                    vErrors.push(err35);
                  }
                  errors++;
                }
                if (data15 < 1 || isNaN(data15)) {
                  const err36 = { instancePath: instancePath + "/policyOverrides/timeout/workflowMs", schemaPath: "#/$defs/policy/properties/timeout/properties/workflowMs/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1", schema: 1, parentSchema: schema35.properties.timeout.properties.workflowMs, data: data15 };
                  if (vErrors === null) {
                    vErrors = [err36];
                  } else {
                    vErrors.push(err36);
                  }
                  errors++;
                }
              }
            }
          } else {
            const err37 = { instancePath: instancePath + "/policyOverrides/timeout", schemaPath: "#/$defs/policy/properties/timeout/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema35.properties.timeout.type, parentSchema: schema35.properties.timeout, data: data13 };
            if (vErrors === null) {
              vErrors = [err37];
            } else {
              vErrors.push(err37);
            }
            errors++;
          }
        }
        if (data6.budget !== void 0 && func0.call(data6, "budget")) {
          let data16 = data6.budget;
          if (data16 && typeof data16 == "object" && !Array.isArray(data16)) {
            for (const key4 of Object.keys(data16)) {
              if (!(key4 === "maxTokens" || key4 === "maxCost" || key4 === "onExceed")) {
                const err38 = { instancePath: instancePath + "/policyOverrides/budget", schemaPath: "#/$defs/policy/properties/budget/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key4 }, message: "must NOT have additional properties", schema: false, parentSchema: schema35.properties.budget, data: data16 };
                if (vErrors === null) {
                  vErrors = [err38];
                } else {
                  vErrors.push(err38);
                }
                errors++;
              }
            }
            if (data16.maxTokens !== void 0 && func0.call(data16, "maxTokens")) {
              let data17 = data16.maxTokens;
              if (!(typeof data17 == "number" && (!(data17 % 1) && !isNaN(data17)) && isFinite(data17))) {
                const err39 = { instancePath: instancePath + "/policyOverrides/budget/maxTokens", schemaPath: "#/$defs/policy/properties/budget/properties/maxTokens/type", keyword: "type", params: { type: "integer" }, message: "must be integer", schema: schema35.properties.budget.properties.maxTokens.type, parentSchema: schema35.properties.budget.properties.maxTokens, data: data17 };
                if (vErrors === null) {
                  vErrors = [err39];
                } else {
                  vErrors.push(err39);
                }
                errors++;
              }
              if (typeof data17 == "number" && isFinite(data17)) {
                if (data17 > 9007199254740991 || isNaN(data17)) {
                  const err40 = { instancePath: instancePath + "/policyOverrides/budget/maxTokens", schemaPath: "#/$defs/policy/properties/budget/properties/maxTokens/maximum", keyword: "maximum", params: { comparison: "<=", limit: 9007199254740991 }, message: "must be <= 9007199254740991", schema: 9007199254740991, parentSchema: schema35.properties.budget.properties.maxTokens, data: data17 };
                  if (vErrors === null) {
                    vErrors = [err40];
                  } else {
                    vErrors.push(err40);
                  }
                  errors++;
                }
                if (data17 < 0 || isNaN(data17)) {
                  const err41 = { instancePath: instancePath + "/policyOverrides/budget/maxTokens", schemaPath: "#/$defs/policy/properties/budget/properties/maxTokens/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0", schema: 0, parentSchema: schema35.properties.budget.properties.maxTokens, data: data17 };
                  if (vErrors === null) {
                    vErrors = [err41];
                  } else {
                    vErrors.push(err41);
                  }
                  errors++;
                }
              }
            }
            if (data16.maxCost !== void 0 && func0.call(data16, "maxCost")) {
              let data18 = data16.maxCost;
              if (typeof data18 == "number" && isFinite(data18)) {
                if (data18 > 1e15 || isNaN(data18)) {
                  const err42 = { instancePath: instancePath + "/policyOverrides/budget/maxCost", schemaPath: "#/$defs/policy/properties/budget/properties/maxCost/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e15 }, message: "must be <= 1000000000000000", schema: 1e15, parentSchema: schema35.properties.budget.properties.maxCost, data: data18 };
                  if (vErrors === null) {
                    vErrors = [err42];
                  } else {
                    vErrors.push(err42);
                  }
                  errors++;
                }
                if (data18 < 0 || isNaN(data18)) {
                  const err43 = { instancePath: instancePath + "/policyOverrides/budget/maxCost", schemaPath: "#/$defs/policy/properties/budget/properties/maxCost/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0", schema: 0, parentSchema: schema35.properties.budget.properties.maxCost, data: data18 };
                  if (vErrors === null) {
                    vErrors = [err43];
                  } else {
                    vErrors.push(err43);
                  }
                  errors++;
                }
              } else {
                const err44 = { instancePath: instancePath + "/policyOverrides/budget/maxCost", schemaPath: "#/$defs/policy/properties/budget/properties/maxCost/type", keyword: "type", params: { type: "number" }, message: "must be number", schema: schema35.properties.budget.properties.maxCost.type, parentSchema: schema35.properties.budget.properties.maxCost, data: data18 };
                if (vErrors === null) {
                  vErrors = [err44];
                } else {
                  vErrors.push(err44);
                }
                errors++;
              }
            }
            if (data16.onExceed !== void 0 && func0.call(data16, "onExceed")) {
              let data19 = data16.onExceed;
              if (!(data19 === "fail" || data19 === "pause")) {
                const err45 = { instancePath: instancePath + "/policyOverrides/budget/onExceed", schemaPath: "#/$defs/policy/properties/budget/properties/onExceed/enum", keyword: "enum", params: { allowedValues: schema35.properties.budget.properties.onExceed.enum }, message: "must be equal to one of the allowed values", schema: schema35.properties.budget.properties.onExceed.enum, parentSchema: schema35.properties.budget.properties.onExceed, data: data19 };
                if (vErrors === null) {
                  vErrors = [err45];
                } else {
                  vErrors.push(err45);
                }
                errors++;
              }
            }
          } else {
            const err46 = { instancePath: instancePath + "/policyOverrides/budget", schemaPath: "#/$defs/policy/properties/budget/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema35.properties.budget.type, parentSchema: schema35.properties.budget, data: data16 };
            if (vErrors === null) {
              vErrors = [err46];
            } else {
              vErrors.push(err46);
            }
            errors++;
          }
        }
        if (data6.concurrency !== void 0 && func0.call(data6, "concurrency")) {
          let data20 = data6.concurrency;
          if (data20 && typeof data20 == "object" && !Array.isArray(data20)) {
            for (const key5 of Object.keys(data20)) {
              if (!(key5 === "maxParallelUnits")) {
                const err47 = { instancePath: instancePath + "/policyOverrides/concurrency", schemaPath: "#/$defs/policy/properties/concurrency/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key5 }, message: "must NOT have additional properties", schema: false, parentSchema: schema35.properties.concurrency, data: data20 };
                if (vErrors === null) {
                  vErrors = [err47];
                } else {
                  vErrors.push(err47);
                }
                errors++;
              }
            }
            if (data20.maxParallelUnits !== void 0 && func0.call(data20, "maxParallelUnits")) {
              let data21 = data20.maxParallelUnits;
              if (!(typeof data21 == "number" && (!(data21 % 1) && !isNaN(data21)) && isFinite(data21))) {
                const err48 = { instancePath: instancePath + "/policyOverrides/concurrency/maxParallelUnits", schemaPath: "#/$defs/policy/properties/concurrency/properties/maxParallelUnits/type", keyword: "type", params: { type: "integer" }, message: "must be integer", schema: schema35.properties.concurrency.properties.maxParallelUnits.type, parentSchema: schema35.properties.concurrency.properties.maxParallelUnits, data: data21 };
                if (vErrors === null) {
                  vErrors = [err48];
                } else {
                  vErrors.push(err48);
                }
                errors++;
              }
              if (typeof data21 == "number" && isFinite(data21)) {
                if (data21 > 1e4 || isNaN(data21)) {
                  const err49 = { instancePath: instancePath + "/policyOverrides/concurrency/maxParallelUnits", schemaPath: "#/$defs/policy/properties/concurrency/properties/maxParallelUnits/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e4 }, message: "must be <= 10000", schema: 1e4, parentSchema: schema35.properties.concurrency.properties.maxParallelUnits, data: data21 };
                  if (vErrors === null) {
                    vErrors = [err49];
                  } else {
                    vErrors.push(err49);
                  }
                  errors++;
                }
                if (data21 < 1 || isNaN(data21)) {
                  const err50 = { instancePath: instancePath + "/policyOverrides/concurrency/maxParallelUnits", schemaPath: "#/$defs/policy/properties/concurrency/properties/maxParallelUnits/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1", schema: 1, parentSchema: schema35.properties.concurrency.properties.maxParallelUnits, data: data21 };
                  if (vErrors === null) {
                    vErrors = [err50];
                  } else {
                    vErrors.push(err50);
                  }
                  errors++;
                }
              }
            }
          } else {
            const err51 = { instancePath: instancePath + "/policyOverrides/concurrency", schemaPath: "#/$defs/policy/properties/concurrency/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema35.properties.concurrency.type, parentSchema: schema35.properties.concurrency, data: data20 };
            if (vErrors === null) {
              vErrors = [err51];
            } else {
              vErrors.push(err51);
            }
            errors++;
          }
        }
        if (data6.circuitBreaker !== void 0 && func0.call(data6, "circuitBreaker")) {
          let data22 = data6.circuitBreaker;
          if (data22 && typeof data22 == "object" && !Array.isArray(data22)) {
            for (const key6 of Object.keys(data22)) {
              if (!(key6 === "failureThreshold" || key6 === "resetMs")) {
                const err52 = { instancePath: instancePath + "/policyOverrides/circuitBreaker", schemaPath: "#/$defs/policy/properties/circuitBreaker/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key6 }, message: "must NOT have additional properties", schema: false, parentSchema: schema35.properties.circuitBreaker, data: data22 };
                if (vErrors === null) {
                  vErrors = [err52];
                } else {
                  vErrors.push(err52);
                }
                errors++;
              }
            }
            if (data22.failureThreshold !== void 0 && func0.call(data22, "failureThreshold")) {
              let data23 = data22.failureThreshold;
              if (!(typeof data23 == "number" && (!(data23 % 1) && !isNaN(data23)) && isFinite(data23))) {
                const err53 = { instancePath: instancePath + "/policyOverrides/circuitBreaker/failureThreshold", schemaPath: "#/$defs/policy/properties/circuitBreaker/properties/failureThreshold/type", keyword: "type", params: { type: "integer" }, message: "must be integer", schema: schema35.properties.circuitBreaker.properties.failureThreshold.type, parentSchema: schema35.properties.circuitBreaker.properties.failureThreshold, data: data23 };
                if (vErrors === null) {
                  vErrors = [err53];
                } else {
                  vErrors.push(err53);
                }
                errors++;
              }
              if (typeof data23 == "number" && isFinite(data23)) {
                if (data23 > 1e6 || isNaN(data23)) {
                  const err54 = { instancePath: instancePath + "/policyOverrides/circuitBreaker/failureThreshold", schemaPath: "#/$defs/policy/properties/circuitBreaker/properties/failureThreshold/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e6 }, message: "must be <= 1000000", schema: 1e6, parentSchema: schema35.properties.circuitBreaker.properties.failureThreshold, data: data23 };
                  if (vErrors === null) {
                    vErrors = [err54];
                  } else {
                    vErrors.push(err54);
                  }
                  errors++;
                }
                if (data23 < 1 || isNaN(data23)) {
                  const err55 = { instancePath: instancePath + "/policyOverrides/circuitBreaker/failureThreshold", schemaPath: "#/$defs/policy/properties/circuitBreaker/properties/failureThreshold/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1", schema: 1, parentSchema: schema35.properties.circuitBreaker.properties.failureThreshold, data: data23 };
                  if (vErrors === null) {
                    vErrors = [err55];
                  } else {
                    vErrors.push(err55);
                  }
                  errors++;
                }
              }
            }
            if (data22.resetMs !== void 0 && func0.call(data22, "resetMs")) {
              let data24 = data22.resetMs;
              if (!(typeof data24 == "number" && (!(data24 % 1) && !isNaN(data24)) && isFinite(data24))) {
                const err56 = { instancePath: instancePath + "/policyOverrides/circuitBreaker/resetMs", schemaPath: "#/$defs/policy/properties/circuitBreaker/properties/resetMs/type", keyword: "type", params: { type: "integer" }, message: "must be integer", schema: schema35.properties.circuitBreaker.properties.resetMs.type, parentSchema: schema35.properties.circuitBreaker.properties.resetMs, data: data24 };
                if (vErrors === null) {
                  vErrors = [err56];
                } else {
                  vErrors.push(err56);
                }
                errors++;
              }
              if (typeof data24 == "number" && isFinite(data24)) {
                if (data24 > 315576e6 || isNaN(data24)) {
                  const err57 = { instancePath: instancePath + "/policyOverrides/circuitBreaker/resetMs", schemaPath: "#/$defs/policy/properties/circuitBreaker/properties/resetMs/maximum", keyword: "maximum", params: { comparison: "<=", limit: 315576e6 }, message: "must be <= 315576000000", schema: 315576e6, parentSchema: schema35.properties.circuitBreaker.properties.resetMs, data: data24 };
                  if (vErrors === null) {
                    vErrors = [err57];
                  } else {
                    vErrors.push(err57);
                  }
                  errors++;
                }
                if (data24 < 0 || isNaN(data24)) {
                  const err58 = { instancePath: instancePath + "/policyOverrides/circuitBreaker/resetMs", schemaPath: "#/$defs/policy/properties/circuitBreaker/properties/resetMs/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0", schema: 0, parentSchema: schema35.properties.circuitBreaker.properties.resetMs, data: data24 };
                  if (vErrors === null) {
                    vErrors = [err58];
                  } else {
                    vErrors.push(err58);
                  }
                  errors++;
                }
              }
            }
          } else {
            const err59 = { instancePath: instancePath + "/policyOverrides/circuitBreaker", schemaPath: "#/$defs/policy/properties/circuitBreaker/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema35.properties.circuitBreaker.type, parentSchema: schema35.properties.circuitBreaker, data: data22 };
            if (vErrors === null) {
              vErrors = [err59];
            } else {
              vErrors.push(err59);
            }
            errors++;
          }
        }
        if (data6.rateLimit !== void 0 && func0.call(data6, "rateLimit")) {
          let data25 = data6.rateLimit;
          if (data25 && typeof data25 == "object" && !Array.isArray(data25)) {
            for (const key7 of Object.keys(data25)) {
              if (!(key7 === "maxRequestsPerMinute")) {
                const err60 = { instancePath: instancePath + "/policyOverrides/rateLimit", schemaPath: "#/$defs/policy/properties/rateLimit/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key7 }, message: "must NOT have additional properties", schema: false, parentSchema: schema35.properties.rateLimit, data: data25 };
                if (vErrors === null) {
                  vErrors = [err60];
                } else {
                  vErrors.push(err60);
                }
                errors++;
              }
            }
            if (data25.maxRequestsPerMinute !== void 0 && func0.call(data25, "maxRequestsPerMinute")) {
              let data26 = data25.maxRequestsPerMinute;
              if (!(typeof data26 == "number" && (!(data26 % 1) && !isNaN(data26)) && isFinite(data26))) {
                const err61 = { instancePath: instancePath + "/policyOverrides/rateLimit/maxRequestsPerMinute", schemaPath: "#/$defs/policy/properties/rateLimit/properties/maxRequestsPerMinute/type", keyword: "type", params: { type: "integer" }, message: "must be integer", schema: schema35.properties.rateLimit.properties.maxRequestsPerMinute.type, parentSchema: schema35.properties.rateLimit.properties.maxRequestsPerMinute, data: data26 };
                if (vErrors === null) {
                  vErrors = [err61];
                } else {
                  vErrors.push(err61);
                }
                errors++;
              }
              if (typeof data26 == "number" && isFinite(data26)) {
                if (data26 > 1e7 || isNaN(data26)) {
                  const err62 = { instancePath: instancePath + "/policyOverrides/rateLimit/maxRequestsPerMinute", schemaPath: "#/$defs/policy/properties/rateLimit/properties/maxRequestsPerMinute/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e7 }, message: "must be <= 10000000", schema: 1e7, parentSchema: schema35.properties.rateLimit.properties.maxRequestsPerMinute, data: data26 };
                  if (vErrors === null) {
                    vErrors = [err62];
                  } else {
                    vErrors.push(err62);
                  }
                  errors++;
                }
                if (data26 < 1 || isNaN(data26)) {
                  const err63 = { instancePath: instancePath + "/policyOverrides/rateLimit/maxRequestsPerMinute", schemaPath: "#/$defs/policy/properties/rateLimit/properties/maxRequestsPerMinute/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1", schema: 1, parentSchema: schema35.properties.rateLimit.properties.maxRequestsPerMinute, data: data26 };
                  if (vErrors === null) {
                    vErrors = [err63];
                  } else {
                    vErrors.push(err63);
                  }
                  errors++;
                }
              }
            }
          } else {
            const err64 = { instancePath: instancePath + "/policyOverrides/rateLimit", schemaPath: "#/$defs/policy/properties/rateLimit/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema35.properties.rateLimit.type, parentSchema: schema35.properties.rateLimit, data: data25 };
            if (vErrors === null) {
              vErrors = [err64];
            } else {
              vErrors.push(err64);
            }
            errors++;
          }
        }
      } else {
        const err65 = { instancePath: instancePath + "/policyOverrides", schemaPath: "#/$defs/policy/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema35.type, parentSchema: schema35, data: data6 };
        if (vErrors === null) {
          vErrors = [err65];
        } else {
          vErrors.push(err65);
        }
        errors++;
      }
    }
    if (data.contextPolicy !== void 0 && func0.call(data, "contextPolicy")) {
      if (!validate27.call(this, data.contextPolicy, { instancePath: instancePath + "/contextPolicy", parentData: data, parentDataProperty: "contextPolicy", rootData, dynamicAnchors })) {
        vErrors = vErrors === null ? validate27.errors : vErrors.concat(validate27.errors);
        errors = vErrors.length;
      }
    }
  } else {
    const err66 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema39.type, parentSchema: schema39, data };
    if (vErrors === null) {
      vErrors = [err66];
    } else {
      vErrors.push(err66);
    }
    errors++;
  }
  validate26.errors = vErrors;
  return errors === 0;
}
validate26.evaluated = { "props": true, "dynamicProps": false, "dynamicItems": false };
function validate25(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null;
  let errors = 0;
  const evaluated0 = validate25.evaluated;
  if (evaluated0.dynamicProps) {
    evaluated0.props = void 0;
  }
  if (evaluated0.dynamicItems) {
    evaluated0.items = void 0;
  }
  if (!validate26.call(this, data, { instancePath, parentData, parentDataProperty, rootData, dynamicAnchors })) {
    vErrors = vErrors === null ? validate26.errors : vErrors.concat(validate26.errors);
    errors = vErrors.length;
  }
  validate25.errors = vErrors;
  return errors === 0;
}
validate25.evaluated = { "props": true, "dynamicProps": false, "dynamicItems": false };
var flow = validate30;
var schema46 = { "type": ["string", "object"], "if": { "type": "string" }, "then": { "$ref": "#/$defs/unitId" }, "else": { "if": { "type": "object" }, "then": { "required": ["type"], "properties": { "type": { "enum": ["sequential", "parallel", "router", "switch", "loop", "foreach", "dag", "delegation"] } }, "allOf": [{ "if": { "properties": { "type": { "const": "sequential" } }, "required": ["type"] }, "then": { "$ref": "#/$defs/sequential" } }, { "if": { "properties": { "type": { "const": "parallel" } }, "required": ["type"] }, "then": { "$ref": "#/$defs/parallel" } }, { "if": { "properties": { "type": { "const": "router" } }, "required": ["type"] }, "then": { "$ref": "#/$defs/router" } }, { "if": { "properties": { "type": { "const": "switch" } }, "required": ["type"] }, "then": { "$ref": "#/$defs/switch" } }, { "if": { "properties": { "type": { "const": "loop" } }, "required": ["type"] }, "then": { "$ref": "#/$defs/loop" } }, { "if": { "properties": { "type": { "const": "foreach" } }, "required": ["type"] }, "then": { "$ref": "#/$defs/foreach" } }, { "if": { "properties": { "type": { "const": "dag" } }, "required": ["type"] }, "then": { "$ref": "#/$defs/dag" } }, { "if": { "properties": { "type": { "const": "delegation" } }, "required": ["type"] }, "then": { "$ref": "#/$defs/delegation" } }] } } };
var schema48 = { "type": "object", "required": ["type"], "additionalProperties": false, "properties": { "type": { "const": "sequential" }, "order": { "type": "array", "minItems": 1, "maxItems": 2e4, "items": { "flowgatePiece": "flow" } } } };
var schema51 = { "type": "object", "required": ["type", "routerUnit", "routes"], "additionalProperties": false, "properties": { "type": { "const": "router" }, "routerUnit": { "flowgatePiece": "flow" }, "routes": { "type": "object", "minProperties": 1, "maxProperties": 2e4, "additionalProperties": { "flowgatePiece": "flow" } }, "default": { "flowgatePiece": "flow" } } };
var schema64 = { "type": "object", "required": ["type", "orchestrator", "specialists"], "additionalProperties": false, "properties": { "type": { "const": "delegation" }, "orchestrator": { "flowgatePiece": "flow" }, "specialists": { "type": "array", "minItems": 1, "maxItems": 2e4, "items": { "flowgatePiece": "flow" } }, "maxRounds": { "type": "integer", "minimum": 1, "maximum": 1e6 } } };
var schema49 = { "type": "object", "required": ["type", "units"], "additionalProperties": false, "properties": { "type": { "const": "parallel" }, "units": { "type": "array", "minItems": 1, "maxItems": 2e4, "items": { "flowgatePiece": "flow" } }, "reducer": { "flowgatePiece": "flow" }, "failureStrategy": { "enum": ["fail-fast", "collect-errors", "best-effort"] }, "maxConcurrency": { "$ref": "#/$defs/maxConcurrency" } } };
var schema50 = { "type": "integer", "minimum": 1, "maximum": 1e4 };
function validate32(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null;
  let errors = 0;
  const evaluated0 = validate32.evaluated;
  if (evaluated0.dynamicProps) {
    evaluated0.props = void 0;
  }
  if (evaluated0.dynamicItems) {
    evaluated0.items = void 0;
  }
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.type === void 0 || !func0.call(data, "type")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "type" }, message: "must have required property 'type'", schema: schema49.required, parentSchema: schema49, data };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.units === void 0 || !func0.call(data, "units")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "units" }, message: "must have required property 'units'", schema: schema49.required, parentSchema: schema49, data };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    for (const key0 of Object.keys(data)) {
      if (!(key0 === "type" || key0 === "units" || key0 === "reducer" || key0 === "failureStrategy" || key0 === "maxConcurrency")) {
        const err2 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties", schema: false, parentSchema: schema49, data };
        if (vErrors === null) {
          vErrors = [err2];
        } else {
          vErrors.push(err2);
        }
        errors++;
      }
    }
    if (data.type !== void 0 && func0.call(data, "type")) {
      let data0 = data.type;
      if ("parallel" !== data0) {
        const err3 = { instancePath: instancePath + "/type", schemaPath: "#/properties/type/const", keyword: "const", params: { allowedValue: "parallel" }, message: "must be equal to constant", schema: "parallel", parentSchema: schema49.properties.type, data: data0 };
        if (vErrors === null) {
          vErrors = [err3];
        } else {
          vErrors.push(err3);
        }
        errors++;
      }
    }
    if (data.units !== void 0 && func0.call(data, "units")) {
      let data1 = data.units;
      if (Array.isArray(data1)) {
        if (data1.length > 2e4) {
          const err4 = { instancePath: instancePath + "/units", schemaPath: "#/properties/units/maxItems", keyword: "maxItems", params: { limit: 2e4 }, message: "must NOT have more than 20000 items", schema: 2e4, parentSchema: schema49.properties.units, data: data1 };
          if (vErrors === null) {
            vErrors = [err4];
          } else {
            vErrors.push(err4);
          }
          errors++;
        }
        if (data1.length < 1) {
          const err5 = { instancePath: instancePath + "/units", schemaPath: "#/properties/units/minItems", keyword: "minItems", params: { limit: 1 }, message: "must NOT have fewer than 1 items", schema: 1, parentSchema: schema49.properties.units, data: data1 };
          if (vErrors === null) {
            vErrors = [err5];
          } else {
            vErrors.push(err5);
          }
          errors++;
        }
        const len0 = data1.length;
        for (let i0 = 0; i0 < len0; i0++) {
          this.push({ piece: "flow", pointer: instancePath + "/units/" + i0, value: data1[i0] });
        }
      } else {
        const err6 = { instancePath: instancePath + "/units", schemaPath: "#/properties/units/type", keyword: "type", params: { type: "array" }, message: "must be array", schema: schema49.properties.units.type, parentSchema: schema49.properties.units, data: data1 };
        if (vErrors === null) {
          vErrors = [err6];
        } else {
          vErrors.push(err6);
        }
        errors++;
      }
    }
    if (data.reducer !== void 0 && func0.call(data, "reducer")) {
      this.push({ piece: "flow", pointer: instancePath + "/reducer", value: data.reducer });
    }
    if (data.failureStrategy !== void 0 && func0.call(data, "failureStrategy")) {
      let data4 = data.failureStrategy;
      if (!(data4 === "fail-fast" || data4 === "collect-errors" || data4 === "best-effort")) {
        const err7 = { instancePath: instancePath + "/failureStrategy", schemaPath: "#/properties/failureStrategy/enum", keyword: "enum", params: { allowedValues: schema49.properties.failureStrategy.enum }, message: "must be equal to one of the allowed values", schema: schema49.properties.failureStrategy.enum, parentSchema: schema49.properties.failureStrategy, data: data4 };
        if (vErrors === null) {
          vErrors = [err7];
        } else {
          vErrors.push(err7);
        }
        errors++;
      }
    }
    if (data.maxConcurrency !== void 0 && func0.call(data, "maxConcurrency")) {
      let data5 = data.maxConcurrency;
      if (!(typeof data5 == "number" && (!(data5 % 1) && !isNaN(data5)) && isFinite(data5))) {
        const err8 = { instancePath: instancePath + "/maxConcurrency", schemaPath: "#/$defs/maxConcurrency/type", keyword: "type", params: { type: "integer" }, message: "must be integer", schema: schema50.type, parentSchema: schema50, data: data5 };
        if (vErrors === null) {
          vErrors = [err8];
        } else {
          vErrors.push(err8);
        }
        errors++;
      }
      if (typeof data5 == "number" && isFinite(data5)) {
        if (data5 > 1e4 || isNaN(data5)) {
          const err9 = { instancePath: instancePath + "/maxConcurrency", schemaPath: "#/$defs/maxConcurrency/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e4 }, message: "must be <= 10000", schema: 1e4, parentSchema: schema50, data: data5 };
          if (vErrors === null) {
            vErrors = [err9];
          } else {
            vErrors.push(err9);
          }
          errors++;
        }
        if (data5 < 1 || isNaN(data5)) {
          const err10 = { instancePath: instancePath + "/maxConcurrency", schemaPath: "#/$defs/maxConcurrency/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1", schema: 1, parentSchema: schema50, data: data5 };
          if (vErrors === null) {
            vErrors = [err10];
          } else {
            vErrors.push(err10);
          }
          errors++;
        }
      }
    }
  } else {
    const err11 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema49.type, parentSchema: schema49, data };
    if (vErrors === null) {
      vErrors = [err11];
    } else {
      vErrors.push(err11);
    }
    errors++;
  }
  validate32.errors = vErrors;
  return errors === 0;
}
validate32.evaluated = { "props": true, "dynamicProps": false, "dynamicItems": false };
var schema52 = { "type": "object", "required": ["type", "cases"], "additionalProperties": false, "properties": { "type": { "const": "switch" }, "cases": { "type": "array", "minItems": 1, "maxItems": 2e4, "items": { "type": "object", "required": ["if", "do"], "additionalProperties": false, "properties": { "if": { "$ref": "#/$defs/expression" }, "do": { "flowgatePiece": "flow" } } } }, "default": { "flowgatePiece": "flow" } } };
function validate34(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null;
  let errors = 0;
  const evaluated0 = validate34.evaluated;
  if (evaluated0.dynamicProps) {
    evaluated0.props = void 0;
  }
  if (evaluated0.dynamicItems) {
    evaluated0.items = void 0;
  }
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.type === void 0 || !func0.call(data, "type")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "type" }, message: "must have required property 'type'", schema: schema52.required, parentSchema: schema52, data };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.cases === void 0 || !func0.call(data, "cases")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "cases" }, message: "must have required property 'cases'", schema: schema52.required, parentSchema: schema52, data };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    for (const key0 of Object.keys(data)) {
      if (!(key0 === "type" || key0 === "cases" || key0 === "default")) {
        const err2 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties", schema: false, parentSchema: schema52, data };
        if (vErrors === null) {
          vErrors = [err2];
        } else {
          vErrors.push(err2);
        }
        errors++;
      }
    }
    if (data.type !== void 0 && func0.call(data, "type")) {
      let data0 = data.type;
      if ("switch" !== data0) {
        const err3 = { instancePath: instancePath + "/type", schemaPath: "#/properties/type/const", keyword: "const", params: { allowedValue: "switch" }, message: "must be equal to constant", schema: "switch", parentSchema: schema52.properties.type, data: data0 };
        if (vErrors === null) {
          vErrors = [err3];
        } else {
          vErrors.push(err3);
        }
        errors++;
      }
    }
    if (data.cases !== void 0 && func0.call(data, "cases")) {
      let data1 = data.cases;
      if (Array.isArray(data1)) {
        if (data1.length > 2e4) {
          const err4 = { instancePath: instancePath + "/cases", schemaPath: "#/properties/cases/maxItems", keyword: "maxItems", params: { limit: 2e4 }, message: "must NOT have more than 20000 items", schema: 2e4, parentSchema: schema52.properties.cases, data: data1 };
          if (vErrors === null) {
            vErrors = [err4];
          } else {
            vErrors.push(err4);
          }
          errors++;
        }
        if (data1.length < 1) {
          const err5 = { instancePath: instancePath + "/cases", schemaPath: "#/properties/cases/minItems", keyword: "minItems", params: { limit: 1 }, message: "must NOT have fewer than 1 items", schema: 1, parentSchema: schema52.properties.cases, data: data1 };
          if (vErrors === null) {
            vErrors = [err5];
          } else {
            vErrors.push(err5);
          }
          errors++;
        }
        const len0 = data1.length;
        for (let i0 = 0; i0 < len0; i0++) {
          let data2 = data1[i0];
          if (data2 && typeof data2 == "object" && !Array.isArray(data2)) {
            if (data2.if === void 0 || !func0.call(data2, "if")) {
              const err6 = { instancePath: instancePath + "/cases/" + i0, schemaPath: "#/properties/cases/items/required", keyword: "required", params: { missingProperty: "if" }, message: "must have required property 'if'", schema: schema52.properties.cases.items.required, parentSchema: schema52.properties.cases.items, data: data2 };
              if (vErrors === null) {
                vErrors = [err6];
              } else {
                vErrors.push(err6);
              }
              errors++;
            }
            if (data2.do === void 0 || !func0.call(data2, "do")) {
              const err7 = { instancePath: instancePath + "/cases/" + i0, schemaPath: "#/properties/cases/items/required", keyword: "required", params: { missingProperty: "do" }, message: "must have required property 'do'", schema: schema52.properties.cases.items.required, parentSchema: schema52.properties.cases.items, data: data2 };
              if (vErrors === null) {
                vErrors = [err7];
              } else {
                vErrors.push(err7);
              }
              errors++;
            }
            for (const key1 of Object.keys(data2)) {
              if (!(key1 === "if" || key1 === "do")) {
                const err8 = { instancePath: instancePath + "/cases/" + i0, schemaPath: "#/properties/cases/items/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key1 }, message: "must NOT have additional properties", schema: false, parentSchema: schema52.properties.cases.items, data: data2 };
                if (vErrors === null) {
                  vErrors = [err8];
                } else {
                  vErrors.push(err8);
                }
                errors++;
              }
            }
            if (data2.if !== void 0 && func0.call(data2, "if")) {
              let data3 = data2.if;
              if (typeof data3 === "string") {
                if (func65(data3) > 1e4) {
                  const err9 = { instancePath: instancePath + "/cases/" + i0 + "/if", schemaPath: "#/$defs/expression/maxLength", keyword: "maxLength", params: { limit: 1e4 }, message: "must NOT have more than 10000 characters", schema: 1e4, parentSchema: schema41, data: data3 };
                  if (vErrors === null) {
                    vErrors = [err9];
                  } else {
                    vErrors.push(err9);
                  }
                  errors++;
                }
                if (func65(data3) < 1) {
                  const err10 = { instancePath: instancePath + "/cases/" + i0 + "/if", schemaPath: "#/$defs/expression/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema41, data: data3 };
                  if (vErrors === null) {
                    vErrors = [err10];
                  } else {
                    vErrors.push(err10);
                  }
                  errors++;
                }
              } else {
                const err11 = { instancePath: instancePath + "/cases/" + i0 + "/if", schemaPath: "#/$defs/expression/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema41.type, parentSchema: schema41, data: data3 };
                if (vErrors === null) {
                  vErrors = [err11];
                } else {
                  vErrors.push(err11);
                }
                errors++;
              }
            }
            if (data2.do !== void 0 && func0.call(data2, "do")) {
              this.push({ piece: "flow", pointer: instancePath + "/cases/" + i0 + "/do", value: data2.do });
            }
          } else {
            const err12 = { instancePath: instancePath + "/cases/" + i0, schemaPath: "#/properties/cases/items/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema52.properties.cases.items.type, parentSchema: schema52.properties.cases.items, data: data2 };
            if (vErrors === null) {
              vErrors = [err12];
            } else {
              vErrors.push(err12);
            }
            errors++;
          }
        }
      } else {
        const err13 = { instancePath: instancePath + "/cases", schemaPath: "#/properties/cases/type", keyword: "type", params: { type: "array" }, message: "must be array", schema: schema52.properties.cases.type, parentSchema: schema52.properties.cases, data: data1 };
        if (vErrors === null) {
          vErrors = [err13];
        } else {
          vErrors.push(err13);
        }
        errors++;
      }
    }
    if (data.default !== void 0 && func0.call(data, "default")) {
      this.push({ piece: "flow", pointer: instancePath + "/default", value: data.default });
    }
  } else {
    const err14 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema52.type, parentSchema: schema52, data };
    if (vErrors === null) {
      vErrors = [err14];
    } else {
      vErrors.push(err14);
    }
    errors++;
  }
  validate34.errors = vErrors;
  return errors === 0;
}
validate34.evaluated = { "props": true, "dynamicProps": false, "dynamicItems": false };
var schema54 = { "type": "object", "required": ["type"], "additionalProperties": false, "properties": { "type": { "const": "loop" }, "unit": { "flowgatePiece": "flow" }, "do": { "flowgatePiece": "flow" }, "maxIterations": { "type": "integer", "minimum": 1, "maximum": 1e6 }, "untilStateKey": { "$ref": "#/$defs/stateKey" }, "until": { "$ref": "#/$defs/expression" } }, "allOf": [{ "if": { "required": ["unit"] }, "then": { "properties": { "do": { "not": {}, "$comment": "cannot stand beside `unit`: keep one of the two" } } }, "else": { "required": ["do"], "$comment": "needs `do` (or `unit`): what each pass runs" } }, { "if": { "required": ["untilStateKey"] }, "then": { "properties": { "until": { "not": {}, "$comment": "cannot stand beside `untilStateKey`: keep one of the two" } } } }] };
function validate36(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null;
  let errors = 0;
  const evaluated0 = validate36.evaluated;
  if (evaluated0.dynamicProps) {
    evaluated0.props = void 0;
  }
  if (evaluated0.dynamicItems) {
    evaluated0.items = void 0;
  }
  const _errs2 = errors;
  let valid1 = true;
  const _errs3 = errors;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    let missing0;
    if ((data.unit === void 0 || !func0.call(data, "unit")) && (missing0 = "unit")) {
      const err0 = {};
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
  }
  var _valid0 = _errs3 === errors;
  errors = _errs2;
  if (vErrors !== null) {
    if (_errs2) {
      vErrors.length = _errs2;
    } else {
      vErrors = null;
    }
  }
  let ifClause0;
  if (_valid0) {
    const _errs4 = errors;
    if (data && typeof data == "object" && !Array.isArray(data)) {
      if (data.do !== void 0 && func0.call(data, "do")) {
        const err1 = { instancePath: instancePath + "/do", schemaPath: "#/allOf/0/then/properties/do/not", keyword: "not", params: {}, message: "must NOT be valid", schema: schema54.allOf[0].then.properties.do.not, parentSchema: schema54.allOf[0].then.properties.do, data: data.do };
        if (vErrors === null) {
          vErrors = [err1];
        } else {
          vErrors.push(err1);
        }
        errors++;
      }
    }
    var _valid0 = _errs4 === errors;
    valid1 = _valid0;
    if (valid1) {
      var props0 = {};
      props0.do = true;
    }
    ifClause0 = "then";
  } else {
    const _errs8 = errors;
    if (data && typeof data == "object" && !Array.isArray(data)) {
      if (data.do === void 0 || !func0.call(data, "do")) {
        const err2 = { instancePath, schemaPath: "#/allOf/0/else/required", keyword: "required", params: { missingProperty: "do" }, message: "must have required property 'do'", schema: schema54.allOf[0].else.required, parentSchema: schema54.allOf[0].else, data };
        if (vErrors === null) {
          vErrors = [err2];
        } else {
          vErrors.push(err2);
        }
        errors++;
      }
    }
    var _valid0 = _errs8 === errors;
    valid1 = _valid0;
    ifClause0 = "else";
  }
  if (!valid1) {
    const err3 = { instancePath, schemaPath: "#/allOf/0/if", keyword: "if", params: { failingKeyword: ifClause0 }, message: 'must match "' + ifClause0 + '" schema', schema: schema54.allOf[0].if, parentSchema: schema54.allOf[0], data };
    if (vErrors === null) {
      vErrors = [err3];
    } else {
      vErrors.push(err3);
    }
    errors++;
  }
  const _errs11 = errors;
  let valid3 = true;
  const _errs12 = errors;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    let missing1;
    if ((data.untilStateKey === void 0 || !func0.call(data, "untilStateKey")) && (missing1 = "untilStateKey")) {
      const err4 = {};
      if (vErrors === null) {
        vErrors = [err4];
      } else {
        vErrors.push(err4);
      }
      errors++;
    }
  }
  var _valid1 = _errs12 === errors;
  errors = _errs11;
  if (vErrors !== null) {
    if (_errs11) {
      vErrors.length = _errs11;
    } else {
      vErrors = null;
    }
  }
  if (_valid1) {
    const _errs13 = errors;
    if (data && typeof data == "object" && !Array.isArray(data)) {
      if (data.until !== void 0 && func0.call(data, "until")) {
        const err5 = { instancePath: instancePath + "/until", schemaPath: "#/allOf/1/then/properties/until/not", keyword: "not", params: {}, message: "must NOT be valid", schema: schema54.allOf[1].then.properties.until.not, parentSchema: schema54.allOf[1].then.properties.until, data: data.until };
        if (vErrors === null) {
          vErrors = [err5];
        } else {
          vErrors.push(err5);
        }
        errors++;
      }
    }
    var _valid1 = _errs13 === errors;
    valid3 = _valid1;
    if (valid3) {
      var props1 = {};
      props1.until = true;
    }
  }
  if (!valid3) {
    const err6 = { instancePath, schemaPath: "#/allOf/1/if", keyword: "if", params: { failingKeyword: "then" }, message: 'must match "then" schema', schema: schema54.allOf[1].if, parentSchema: schema54.allOf[1], data };
    if (vErrors === null) {
      vErrors = [err6];
    } else {
      vErrors.push(err6);
    }
    errors++;
  }
  if (props0 !== true && props1 !== void 0) {
    if (props1 === true) {
      props0 = true;
    } else {
      props0 = props0 || {};
      Object.assign(props0, props1);
    }
  }
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.type === void 0 || !func0.call(data, "type")) {
      const err7 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "type" }, message: "must have required property 'type'", schema: schema54.required, parentSchema: schema54, data };
      if (vErrors === null) {
        vErrors = [err7];
      } else {
        vErrors.push(err7);
      }
      errors++;
    }
    for (const key0 of Object.keys(data)) {
      if (!(key0 === "type" || key0 === "unit" || key0 === "do" || key0 === "maxIterations" || key0 === "untilStateKey" || key0 === "until")) {
        const err8 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties", schema: false, parentSchema: schema54, data };
        if (vErrors === null) {
          vErrors = [err8];
        } else {
          vErrors.push(err8);
        }
        errors++;
      }
    }
    if (data.type !== void 0 && func0.call(data, "type")) {
      let data2 = data.type;
      if ("loop" !== data2) {
        const err9 = { instancePath: instancePath + "/type", schemaPath: "#/properties/type/const", keyword: "const", params: { allowedValue: "loop" }, message: "must be equal to constant", schema: "loop", parentSchema: schema54.properties.type, data: data2 };
        if (vErrors === null) {
          vErrors = [err9];
        } else {
          vErrors.push(err9);
        }
        errors++;
      }
    }
    if (data.unit !== void 0 && func0.call(data, "unit")) {
      this.push({ piece: "flow", pointer: instancePath + "/unit", value: data.unit });
    }
    if (data.do !== void 0 && func0.call(data, "do")) {
      this.push({ piece: "flow", pointer: instancePath + "/do", value: data.do });
    }
    if (data.maxIterations !== void 0 && func0.call(data, "maxIterations")) {
      let data5 = data.maxIterations;
      if (!(typeof data5 == "number" && (!(data5 % 1) && !isNaN(data5)) && isFinite(data5))) {
        const err10 = { instancePath: instancePath + "/maxIterations", schemaPath: "#/properties/maxIterations/type", keyword: "type", params: { type: "integer" }, message: "must be integer", schema: schema54.properties.maxIterations.type, parentSchema: schema54.properties.maxIterations, data: data5 };
        if (vErrors === null) {
          vErrors = [err10];
        } else {
          vErrors.push(err10);
        }
        errors++;
      }
      if (typeof data5 == "number" && isFinite(data5)) {
        if (data5 > 1e6 || isNaN(data5)) {
          const err11 = { instancePath: instancePath + "/maxIterations", schemaPath: "#/properties/maxIterations/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e6 }, message: "must be <= 1000000", schema: 1e6, parentSchema: schema54.properties.maxIterations, data: data5 };
          if (vErrors === null) {
            vErrors = [err11];
          } else {
            vErrors.push(err11);
          }
          errors++;
        }
        if (data5 < 1 || isNaN(data5)) {
          const err12 = { instancePath: instancePath + "/maxIterations", schemaPath: "#/properties/maxIterations/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1", schema: 1, parentSchema: schema54.properties.maxIterations, data: data5 };
          if (vErrors === null) {
            vErrors = [err12];
          } else {
            vErrors.push(err12);
          }
          errors++;
        }
      }
    }
    if (data.untilStateKey !== void 0 && func0.call(data, "untilStateKey")) {
      let data6 = data.untilStateKey;
      if (typeof data6 === "string") {
        if (func65(data6) > 512) {
          const err13 = { instancePath: instancePath + "/untilStateKey", schemaPath: "#/$defs/stateKey/maxLength", keyword: "maxLength", params: { limit: 512 }, message: "must NOT have more than 512 characters", schema: 512, parentSchema: schema44, data: data6 };
          if (vErrors === null) {
            vErrors = [err13];
          } else {
            vErrors.push(err13);
          }
          errors++;
        }
        if (func65(data6) < 1) {
          const err14 = { instancePath: instancePath + "/untilStateKey", schemaPath: "#/$defs/stateKey/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema44, data: data6 };
          if (vErrors === null) {
            vErrors = [err14];
          } else {
            vErrors.push(err14);
          }
          errors++;
        }
      } else {
        const err15 = { instancePath: instancePath + "/untilStateKey", schemaPath: "#/$defs/stateKey/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema44.type, parentSchema: schema44, data: data6 };
        if (vErrors === null) {
          vErrors = [err15];
        } else {
          vErrors.push(err15);
        }
        errors++;
      }
    }
    if (data.until !== void 0 && func0.call(data, "until")) {
      let data7 = data.until;
      if (typeof data7 === "string") {
        if (func65(data7) > 1e4) {
          const err16 = { instancePath: instancePath + "/until", schemaPath: "#/$defs/expression/maxLength", keyword: "maxLength", params: { limit: 1e4 }, message: "must NOT have more than 10000 characters", schema: 1e4, parentSchema: schema41, data: data7 };
          if (vErrors === null) {
            vErrors = [err16];
          } else {
            vErrors.push(err16);
          }
          errors++;
        }
        if (func65(data7) < 1) {
          const err17 = { instancePath: instancePath + "/until", schemaPath: "#/$defs/expression/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema41, data: data7 };
          if (vErrors === null) {
            vErrors = [err17];
          } else {
            vErrors.push(err17);
          }
          errors++;
        }
      } else {
        const err18 = { instancePath: instancePath + "/until", schemaPath: "#/$defs/expression/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema41.type, parentSchema: schema41, data: data7 };
        if (vErrors === null) {
          vErrors = [err18];
        } else {
          vErrors.push(err18);
        }
        errors++;
      }
    }
  } else {
    const err19 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema54.type, parentSchema: schema54, data };
    if (vErrors === null) {
      vErrors = [err19];
    } else {
      vErrors.push(err19);
    }
    errors++;
  }
  validate36.errors = vErrors;
  return errors === 0;
}
validate36.evaluated = { "props": true, "dynamicProps": false, "dynamicItems": false };
var schema57 = { "type": "object", "required": ["type", "items", "do"], "additionalProperties": false, "properties": { "type": { "const": "foreach" }, "items": { "$ref": "#/$defs/expression" }, "as": { "type": "string", "pattern": "^[A-Za-z_][A-Za-z0-9_]{0,63}$", "$comment": "must be a name: a letter or `_`, then up to 63 letters, digits or `_`" }, "do": { "flowgatePiece": "flow" }, "maxConcurrency": { "$ref": "#/$defs/maxConcurrency" }, "collect": { "type": "string", "minLength": 1, "maxLength": 512, "pattern": "^(?!output\\.|errors\\.|hitl\\.|__proto__$)", "$comment": "must not be `__proto__` and must not begin with `output.`, `errors.` or `hitl.`, which the engine writes" } } };
var pattern11 = new RegExp("^[A-Za-z_][A-Za-z0-9_]{0,63}$", "u");
var pattern12 = new RegExp("^(?!output\\.|errors\\.|hitl\\.|__proto__$)", "u");
function validate38(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null;
  let errors = 0;
  const evaluated0 = validate38.evaluated;
  if (evaluated0.dynamicProps) {
    evaluated0.props = void 0;
  }
  if (evaluated0.dynamicItems) {
    evaluated0.items = void 0;
  }
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.type === void 0 || !func0.call(data, "type")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "type" }, message: "must have required property 'type'", schema: schema57.required, parentSchema: schema57, data };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.items === void 0 || !func0.call(data, "items")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "items" }, message: "must have required property 'items'", schema: schema57.required, parentSchema: schema57, data };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    if (data.do === void 0 || !func0.call(data, "do")) {
      const err2 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "do" }, message: "must have required property 'do'", schema: schema57.required, parentSchema: schema57, data };
      if (vErrors === null) {
        vErrors = [err2];
      } else {
        vErrors.push(err2);
      }
      errors++;
    }
    for (const key0 of Object.keys(data)) {
      if (!(key0 === "type" || key0 === "items" || key0 === "as" || key0 === "do" || key0 === "maxConcurrency" || key0 === "collect")) {
        const err3 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties", schema: false, parentSchema: schema57, data };
        if (vErrors === null) {
          vErrors = [err3];
        } else {
          vErrors.push(err3);
        }
        errors++;
      }
    }
    if (data.type !== void 0 && func0.call(data, "type")) {
      let data0 = data.type;
      if ("foreach" !== data0) {
        const err4 = { instancePath: instancePath + "/type", schemaPath: "#/properties/type/const", keyword: "const", params: { allowedValue: "foreach" }, message: "must be equal to constant", schema: "foreach", parentSchema: schema57.properties.type, data: data0 };
        if (vErrors === null) {
          vErrors = [err4];
        } else {
          vErrors.push(err4);
        }
        errors++;
      }
    }
    if (data.items !== void 0 && func0.call(data, "items")) {
      let data1 = data.items;
      if (typeof data1 === "string") {
        if (func65(data1) > 1e4) {
          const err5 = { instancePath: instancePath + "/items", schemaPath: "#/$defs/expression/maxLength", keyword: "maxLength", params: { limit: 1e4 }, message: "must NOT have more than 10000 characters", schema: 1e4, parentSchema: schema41, data: data1 };
          if (vErrors === null) {
            vErrors = [err5];
          } else {
            vErrors.push(err5);
          }
          errors++;
        }
        if (func65(data1) < 1) {
          const err6 = { instancePath: instancePath + "/items", schemaPath: "#/$defs/expression/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema41, data: data1 };
          if (vErrors === null) {
            vErrors = [err6];
          } else {
            vErrors.push(err6);
          }
          errors++;
        }
      } else {
        const err7 = { instancePath: instancePath + "/items", schemaPath: "#/$defs/expression/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema41.type, parentSchema: schema41, data: data1 };
        if (vErrors === null) {
          vErrors = [err7];
        } else {
          vErrors.push(err7);
        }
        errors++;
      }
    }
    if (data.as !== void 0 && func0.call(data, "as")) {
      let data2 = data.as;
      if (typeof data2 === "string") {
        if (!pattern11.test(data2)) {
          const err8 = { instancePath: instancePath + "/as", schemaPath: "#/properties/as/pattern", keyword: "pattern", params: { pattern: "^[A-Za-z_][A-Za-z0-9_]{0,63}$" }, message: 'must match pattern "^[A-Za-z_][A-Za-z0-9_]{0,63}$"', schema: "^[A-Za-z_][A-Za-z0-9_]{0,63}$", parentSchema: schema57.properties.as, data: data2 };
          if (vErrors === null) {
            vErrors = [err8];
          } else {
            vErrors.push(err8);
          }
          errors++;
        }
      } else {
        const err9 = { instancePath: instancePath + "/as", schemaPath: "#/properties/as/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema57.properties.as.type, parentSchema: schema57.properties.as, data: data2 };
        if (vErrors === null) {
          vErrors = [err9];
        } else {
          vErrors.push(err9);
        }
        errors++;
      }
    }
    if (data.do !== void 0 && func0.call(data, "do")) {
      this.push({ piece: "flow", pointer: instancePath + "/do", value: data.do });
    }
    if (data.maxConcurrency !== void 0 && func0.call(data, "maxConcurrency")) {
      let data4 = data.maxConcurrency;
      if (!(typeof data4 == "number" && (!(data4 % 1) && !isNaN(data4)) && isFinite(data4))) {
        const err10 = { instancePath: instancePath + "/maxConcurrency", schemaPath: "#/$defs/maxConcurrency/type", keyword: "type", params: { type: "integer" }, message: "must be integer", schema: schema50.type, parentSchema: schema50, data: data4 };
        if (vErrors === null) {
          vErrors = [err10];
        } else {
          vErrors.push(err10);
        }
        errors++;
      }
      if (typeof data4 == "number" && isFinite(data4)) {
        if (data4 > 1e4 || isNaN(data4)) {
          const err11 = { instancePath: instancePath + "/maxConcurrency", schemaPath: "#/$defs/maxConcurrency/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e4 }, message: "must be <= 10000", schema: 1e4, parentSchema: schema50, data: data4 };
          if (vErrors === null) {
            vErrors = [err11];
          } else {
            vErrors.push(err11);
          }
          errors++;
        }
        if (data4 < 1 || isNaN(data4)) {
          const err12 = { instancePath: instancePath + "/maxConcurrency", schemaPath: "#/$defs/maxConcurrency/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1", schema: 1, parentSchema: schema50, data: data4 };
          if (vErrors === null) {
            vErrors = [err12];
          } else {
            vErrors.push(err12);
          }
          errors++;
        }
      }
    }
    if (data.collect !== void 0 && func0.call(data, "collect")) {
      let data5 = data.collect;
      if (typeof data5 === "string") {
        if (func65(data5) > 512) {
          const err13 = { instancePath: instancePath + "/collect", schemaPath: "#/properties/collect/maxLength", keyword: "maxLength", params: { limit: 512 }, message: "must NOT have more than 512 characters", schema: 512, parentSchema: schema57.properties.collect, data: data5 };
          if (vErrors === null) {
            vErrors = [err13];
          } else {
            vErrors.push(err13);
          }
          errors++;
        }
        if (func65(data5) < 1) {
          const err14 = { instancePath: instancePath + "/collect", schemaPath: "#/properties/collect/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema57.properties.collect, data: data5 };
          if (vErrors === null) {
            vErrors = [err14];
          } else {
            vErrors.push(err14);
          }
          errors++;
        }
        if (!pattern12.test(data5)) {
          const err15 = { instancePath: instancePath + "/collect", schemaPath: "#/properties/collect/pattern", keyword: "pattern", params: { pattern: "^(?!output\\.|errors\\.|hitl\\.|__proto__$)" }, message: 'must match pattern "^(?!output\\.|errors\\.|hitl\\.|__proto__$)"', schema: "^(?!output\\.|errors\\.|hitl\\.|__proto__$)", parentSchema: schema57.properties.collect, data: data5 };
          if (vErrors === null) {
            vErrors = [err15];
          } else {
            vErrors.push(err15);
          }
          errors++;
        }
      } else {
        const err16 = { instancePath: instancePath + "/collect", schemaPath: "#/properties/collect/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema57.properties.collect.type, parentSchema: schema57.properties.collect, data: data5 };
        if (vErrors === null) {
          vErrors = [err16];
        } else {
          vErrors.push(err16);
        }
        errors++;
      }
    }
  } else {
    const err17 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema57.type, parentSchema: schema57, data };
    if (vErrors === null) {
      vErrors = [err17];
    } else {
      vErrors.push(err17);
    }
    errors++;
  }
  validate38.errors = vErrors;
  return errors === 0;
}
validate38.evaluated = { "props": true, "dynamicProps": false, "dynamicItems": false };
var schema60 = { "type": "object", "required": ["type", "executors"], "additionalProperties": false, "properties": { "type": { "const": "dag" }, "executors": { "type": "array", "minItems": 1, "maxItems": 2e4, "items": { "flowgatePiece": "flow" } }, "dependencies": { "type": "object", "maxProperties": 2e4, "propertyNames": { "$ref": "#/$defs/unitId" }, "additionalProperties": { "type": "array", "maxItems": 2e4, "items": { "$ref": "#/$defs/unitId" } } }, "planner": { "flowgatePiece": "flow" }, "aggregator": { "flowgatePiece": "flow" }, "maxConcurrency": { "$ref": "#/$defs/maxConcurrency" } } };
function validate40(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null;
  let errors = 0;
  const evaluated0 = validate40.evaluated;
  if (evaluated0.dynamicProps) {
    evaluated0.props = void 0;
  }
  if (evaluated0.dynamicItems) {
    evaluated0.items = void 0;
  }
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.type === void 0 || !func0.call(data, "type")) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "type" }, message: "must have required property 'type'", schema: schema60.required, parentSchema: schema60, data };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.executors === void 0 || !func0.call(data, "executors")) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "executors" }, message: "must have required property 'executors'", schema: schema60.required, parentSchema: schema60, data };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    for (const key0 of Object.keys(data)) {
      if (!(key0 === "type" || key0 === "executors" || key0 === "dependencies" || key0 === "planner" || key0 === "aggregator" || key0 === "maxConcurrency")) {
        const err2 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties", schema: false, parentSchema: schema60, data };
        if (vErrors === null) {
          vErrors = [err2];
        } else {
          vErrors.push(err2);
        }
        errors++;
      }
    }
    if (data.type !== void 0 && func0.call(data, "type")) {
      let data0 = data.type;
      if ("dag" !== data0) {
        const err3 = { instancePath: instancePath + "/type", schemaPath: "#/properties/type/const", keyword: "const", params: { allowedValue: "dag" }, message: "must be equal to constant", schema: "dag", parentSchema: schema60.properties.type, data: data0 };
        if (vErrors === null) {
          vErrors = [err3];
        } else {
          vErrors.push(err3);
        }
        errors++;
      }
    }
    if (data.executors !== void 0 && func0.call(data, "executors")) {
      let data1 = data.executors;
      if (Array.isArray(data1)) {
        if (data1.length > 2e4) {
          const err4 = { instancePath: instancePath + "/executors", schemaPath: "#/properties/executors/maxItems", keyword: "maxItems", params: { limit: 2e4 }, message: "must NOT have more than 20000 items", schema: 2e4, parentSchema: schema60.properties.executors, data: data1 };
          if (vErrors === null) {
            vErrors = [err4];
          } else {
            vErrors.push(err4);
          }
          errors++;
        }
        if (data1.length < 1) {
          const err5 = { instancePath: instancePath + "/executors", schemaPath: "#/properties/executors/minItems", keyword: "minItems", params: { limit: 1 }, message: "must NOT have fewer than 1 items", schema: 1, parentSchema: schema60.properties.executors, data: data1 };
          if (vErrors === null) {
            vErrors = [err5];
          } else {
            vErrors.push(err5);
          }
          errors++;
        }
        const len0 = data1.length;
        for (let i0 = 0; i0 < len0; i0++) {
          this.push({ piece: "flow", pointer: instancePath + "/executors/" + i0, value: data1[i0] });
        }
      } else {
        const err6 = { instancePath: instancePath + "/executors", schemaPath: "#/properties/executors/type", keyword: "type", params: { type: "array" }, message: "must be array", schema: schema60.properties.executors.type, parentSchema: schema60.properties.executors, data: data1 };
        if (vErrors === null) {
          vErrors = [err6];
        } else {
          vErrors.push(err6);
        }
        errors++;
      }
    }
    if (data.dependencies !== void 0 && func0.call(data, "dependencies")) {
      let data3 = data.dependencies;
      if (data3 && typeof data3 == "object" && !Array.isArray(data3)) {
        if (Object.keys(data3).length > 2e4) {
          const err7 = { instancePath: instancePath + "/dependencies", schemaPath: "#/properties/dependencies/maxProperties", keyword: "maxProperties", params: { limit: 2e4 }, message: "must NOT have more than 20000 properties", schema: 2e4, parentSchema: schema60.properties.dependencies, data: data3 };
          if (vErrors === null) {
            vErrors = [err7];
          } else {
            vErrors.push(err7);
          }
          errors++;
        }
        for (const key1 of Object.keys(data3)) {
          const _errs8 = errors;
          if (typeof key1 === "string") {
            if (!pattern6.test(key1)) {
              const err8 = { instancePath: instancePath + "/dependencies", schemaPath: "#/$defs/unitId/pattern", keyword: "pattern", params: { pattern: "^[\\p{L}\\p{N}_][\\p{L}\\p{M}\\p{N}_.-]{0,255}$" }, message: 'must match pattern "^[\\p{L}\\p{N}_][\\p{L}\\p{M}\\p{N}_.-]{0,255}$"', schema: "^[\\p{L}\\p{N}_][\\p{L}\\p{M}\\p{N}_.-]{0,255}$", parentSchema: schema36, data: key1, propertyName: key1 };
              if (vErrors === null) {
                vErrors = [err8];
              } else {
                vErrors.push(err8);
              }
              errors++;
            }
          } else {
            const err9 = { instancePath: instancePath + "/dependencies", schemaPath: "#/$defs/unitId/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema36.type, parentSchema: schema36, data: key1, propertyName: key1 };
            if (vErrors === null) {
              vErrors = [err9];
            } else {
              vErrors.push(err9);
            }
            errors++;
          }
          var valid3 = _errs8 === errors;
          if (!valid3) {
            const err10 = { instancePath: instancePath + "/dependencies", schemaPath: "#/properties/dependencies/propertyNames", keyword: "propertyNames", params: { propertyName: key1 }, message: "property name must be valid", schema: schema60.properties.dependencies.propertyNames, parentSchema: schema60.properties.dependencies, data: data3 };
            if (vErrors === null) {
              vErrors = [err10];
            } else {
              vErrors.push(err10);
            }
            errors++;
          }
        }
        for (const key2 of Object.keys(data3)) {
          let data4 = data3[key2];
          if (Array.isArray(data4)) {
            if (data4.length > 2e4) {
              const err11 = { instancePath: instancePath + "/dependencies/" + key2.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/dependencies/additionalProperties/maxItems", keyword: "maxItems", params: { limit: 2e4 }, message: "must NOT have more than 20000 items", schema: 2e4, parentSchema: schema60.properties.dependencies.additionalProperties, data: data4 };
              if (vErrors === null) {
                vErrors = [err11];
              } else {
                vErrors.push(err11);
              }
              errors++;
            }
            const len1 = data4.length;
            for (let i1 = 0; i1 < len1; i1++) {
              let data5 = data4[i1];
              if (typeof data5 === "string") {
                if (!pattern6.test(data5)) {
                  const err12 = { instancePath: instancePath + "/dependencies/" + key2.replace(/~/g, "~0").replace(/\//g, "~1") + "/" + i1, schemaPath: "#/$defs/unitId/pattern", keyword: "pattern", params: { pattern: "^[\\p{L}\\p{N}_][\\p{L}\\p{M}\\p{N}_.-]{0,255}$" }, message: 'must match pattern "^[\\p{L}\\p{N}_][\\p{L}\\p{M}\\p{N}_.-]{0,255}$"', schema: "^[\\p{L}\\p{N}_][\\p{L}\\p{M}\\p{N}_.-]{0,255}$", parentSchema: schema36, data: data5 };
                  if (vErrors === null) {
                    vErrors = [err12];
                  } else {
                    vErrors.push(err12);
                  }
                  errors++;
                }
              } else {
                const err13 = { instancePath: instancePath + "/dependencies/" + key2.replace(/~/g, "~0").replace(/\//g, "~1") + "/" + i1, schemaPath: "#/$defs/unitId/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema36.type, parentSchema: schema36, data: data5 };
                if (vErrors === null) {
                  vErrors = [err13];
                } else {
                  vErrors.push(err13);
                }
                errors++;
              }
            }
          } else {
            const err14 = { instancePath: instancePath + "/dependencies/" + key2.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/dependencies/additionalProperties/type", keyword: "type", params: { type: "array" }, message: "must be array", schema: schema60.properties.dependencies.additionalProperties.type, parentSchema: schema60.properties.dependencies.additionalProperties, data: data4 };
            if (vErrors === null) {
              vErrors = [err14];
            } else {
              vErrors.push(err14);
            }
            errors++;
          }
        }
      } else {
        const err15 = { instancePath: instancePath + "/dependencies", schemaPath: "#/properties/dependencies/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema60.properties.dependencies.type, parentSchema: schema60.properties.dependencies, data: data3 };
        if (vErrors === null) {
          vErrors = [err15];
        } else {
          vErrors.push(err15);
        }
        errors++;
      }
    }
    if (data.planner !== void 0 && func0.call(data, "planner")) {
      this.push({ piece: "flow", pointer: instancePath + "/planner", value: data.planner });
    }
    if (data.aggregator !== void 0 && func0.call(data, "aggregator")) {
      this.push({ piece: "flow", pointer: instancePath + "/aggregator", value: data.aggregator });
    }
    if (data.maxConcurrency !== void 0 && func0.call(data, "maxConcurrency")) {
      let data8 = data.maxConcurrency;
      if (!(typeof data8 == "number" && (!(data8 % 1) && !isNaN(data8)) && isFinite(data8))) {
        const err16 = { instancePath: instancePath + "/maxConcurrency", schemaPath: "#/$defs/maxConcurrency/type", keyword: "type", params: { type: "integer" }, message: "must be integer", schema: schema50.type, parentSchema: schema50, data: data8 };
        if (vErrors === null) {
          vErrors = [err16];
        } else {
          vErrors.push(err16);
        }
        errors++;
      }
      if (typeof data8 == "number" && isFinite(data8)) {
        if (data8 > 1e4 || isNaN(data8)) {
          const err17 = { instancePath: instancePath + "/maxConcurrency", schemaPath: "#/$defs/maxConcurrency/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e4 }, message: "must be <= 10000", schema: 1e4, parentSchema: schema50, data: data8 };
          if (vErrors === null) {
            vErrors = [err17];
          } else {
            vErrors.push(err17);
          }
          errors++;
        }
        if (data8 < 1 || isNaN(data8)) {
          const err18 = { instancePath: instancePath + "/maxConcurrency", schemaPath: "#/$defs/maxConcurrency/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1", schema: 1, parentSchema: schema50, data: data8 };
          if (vErrors === null) {
            vErrors = [err18];
          } else {
            vErrors.push(err18);
          }
          errors++;
        }
      }
    }
  } else {
    const err19 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema60.type, parentSchema: schema60, data };
    if (vErrors === null) {
      vErrors = [err19];
    } else {
      vErrors.push(err19);
    }
    errors++;
  }
  validate40.errors = vErrors;
  return errors === 0;
}
validate40.evaluated = { "props": true, "dynamicProps": false, "dynamicItems": false };
function validate31(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null;
  let errors = 0;
  const evaluated0 = validate31.evaluated;
  if (evaluated0.dynamicProps) {
    evaluated0.props = void 0;
  }
  if (evaluated0.dynamicItems) {
    evaluated0.items = void 0;
  }
  if (typeof data !== "string" && !(data && typeof data == "object" && !Array.isArray(data))) {
    const err0 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: schema46.type }, message: "must be string,object", schema: schema46.type, parentSchema: schema46, data };
    if (vErrors === null) {
      vErrors = [err0];
    } else {
      vErrors.push(err0);
    }
    errors++;
  }
  const _errs1 = errors;
  let valid0 = true;
  const _errs2 = errors;
  if (typeof data !== "string") {
    const err1 = {};
    if (vErrors === null) {
      vErrors = [err1];
    } else {
      vErrors.push(err1);
    }
    errors++;
  }
  var _valid0 = _errs2 === errors;
  errors = _errs1;
  if (vErrors !== null) {
    if (_errs1) {
      vErrors.length = _errs1;
    } else {
      vErrors = null;
    }
  }
  let ifClause0;
  if (_valid0) {
    const _errs4 = errors;
    if (typeof data === "string") {
      if (!pattern6.test(data)) {
        const err2 = { instancePath, schemaPath: "#/$defs/unitId/pattern", keyword: "pattern", params: { pattern: "^[\\p{L}\\p{N}_][\\p{L}\\p{M}\\p{N}_.-]{0,255}$" }, message: 'must match pattern "^[\\p{L}\\p{N}_][\\p{L}\\p{M}\\p{N}_.-]{0,255}$"', schema: "^[\\p{L}\\p{N}_][\\p{L}\\p{M}\\p{N}_.-]{0,255}$", parentSchema: schema36, data };
        if (vErrors === null) {
          vErrors = [err2];
        } else {
          vErrors.push(err2);
        }
        errors++;
      }
    } else {
      const err3 = { instancePath, schemaPath: "#/$defs/unitId/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema36.type, parentSchema: schema36, data };
      if (vErrors === null) {
        vErrors = [err3];
      } else {
        vErrors.push(err3);
      }
      errors++;
    }
    var _valid0 = _errs4 === errors;
    valid0 = _valid0;
    ifClause0 = "then";
  } else {
    const _errs8 = errors;
    const _errs9 = errors;
    let valid2 = true;
    const _errs10 = errors;
    if (!(data && typeof data == "object" && !Array.isArray(data))) {
      const err4 = {};
      if (vErrors === null) {
        vErrors = [err4];
      } else {
        vErrors.push(err4);
      }
      errors++;
    }
    var _valid1 = _errs10 === errors;
    errors = _errs9;
    if (vErrors !== null) {
      if (_errs9) {
        vErrors.length = _errs9;
      } else {
        vErrors = null;
      }
    }
    if (_valid1) {
      const _errs12 = errors;
      const _errs14 = errors;
      let valid4 = true;
      const _errs15 = errors;
      if (data && typeof data == "object" && !Array.isArray(data)) {
        let missing0;
        if ((data.type === void 0 || !func0.call(data, "type")) && (missing0 = "type")) {
          const err5 = {};
          if (vErrors === null) {
            vErrors = [err5];
          } else {
            vErrors.push(err5);
          }
          errors++;
        } else {
          if (data.type !== void 0 && func0.call(data, "type")) {
            if ("sequential" !== data.type) {
              const err6 = {};
              if (vErrors === null) {
                vErrors = [err6];
              } else {
                vErrors.push(err6);
              }
              errors++;
            }
          }
        }
      }
      var _valid2 = _errs15 === errors;
      errors = _errs14;
      if (vErrors !== null) {
        if (_errs14) {
          vErrors.length = _errs14;
        } else {
          vErrors = null;
        }
      }
      if (_valid2) {
        const _errs17 = errors;
        if (data && typeof data == "object" && !Array.isArray(data)) {
          if (data.type === void 0 || !func0.call(data, "type")) {
            const err7 = { instancePath, schemaPath: "#/$defs/sequential/required", keyword: "required", params: { missingProperty: "type" }, message: "must have required property 'type'", schema: schema48.required, parentSchema: schema48, data };
            if (vErrors === null) {
              vErrors = [err7];
            } else {
              vErrors.push(err7);
            }
            errors++;
          }
          for (const key0 of Object.keys(data)) {
            if (!(key0 === "type" || key0 === "order")) {
              const err8 = { instancePath, schemaPath: "#/$defs/sequential/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties", schema: false, parentSchema: schema48, data };
              if (vErrors === null) {
                vErrors = [err8];
              } else {
                vErrors.push(err8);
              }
              errors++;
            }
          }
          if (data.type !== void 0 && func0.call(data, "type")) {
            let data1 = data.type;
            if ("sequential" !== data1) {
              const err9 = { instancePath: instancePath + "/type", schemaPath: "#/$defs/sequential/properties/type/const", keyword: "const", params: { allowedValue: "sequential" }, message: "must be equal to constant", schema: "sequential", parentSchema: schema48.properties.type, data: data1 };
              if (vErrors === null) {
                vErrors = [err9];
              } else {
                vErrors.push(err9);
              }
              errors++;
            }
          }
          if (data.order !== void 0 && func0.call(data, "order")) {
            let data2 = data.order;
            if (Array.isArray(data2)) {
              if (data2.length > 2e4) {
                const err10 = { instancePath: instancePath + "/order", schemaPath: "#/$defs/sequential/properties/order/maxItems", keyword: "maxItems", params: { limit: 2e4 }, message: "must NOT have more than 20000 items", schema: 2e4, parentSchema: schema48.properties.order, data: data2 };
                if (vErrors === null) {
                  vErrors = [err10];
                } else {
                  vErrors.push(err10);
                }
                errors++;
              }
              if (data2.length < 1) {
                const err11 = { instancePath: instancePath + "/order", schemaPath: "#/$defs/sequential/properties/order/minItems", keyword: "minItems", params: { limit: 1 }, message: "must NOT have fewer than 1 items", schema: 1, parentSchema: schema48.properties.order, data: data2 };
                if (vErrors === null) {
                  vErrors = [err11];
                } else {
                  vErrors.push(err11);
                }
                errors++;
              }
              const len0 = data2.length;
              for (let i0 = 0; i0 < len0; i0++) {
                this.push({ piece: "flow", pointer: instancePath + "/order/" + i0, value: data2[i0] });
              }
            } else {
              const err12 = { instancePath: instancePath + "/order", schemaPath: "#/$defs/sequential/properties/order/type", keyword: "type", params: { type: "array" }, message: "must be array", schema: schema48.properties.order.type, parentSchema: schema48.properties.order, data: data2 };
              if (vErrors === null) {
                vErrors = [err12];
              } else {
                vErrors.push(err12);
              }
              errors++;
            }
          }
        } else {
          const err13 = { instancePath, schemaPath: "#/$defs/sequential/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema48.type, parentSchema: schema48, data };
          if (vErrors === null) {
            vErrors = [err13];
          } else {
            vErrors.push(err13);
          }
          errors++;
        }
        var _valid2 = _errs17 === errors;
        valid4 = _valid2;
        if (valid4) {
          var props0 = true;
        }
      }
      if (!valid4) {
        const err14 = { instancePath, schemaPath: "#/else/then/allOf/0/if", keyword: "if", params: { failingKeyword: "then" }, message: 'must match "then" schema', schema: schema46.else.then.allOf[0].if, parentSchema: schema46.else.then.allOf[0], data };
        if (vErrors === null) {
          vErrors = [err14];
        } else {
          vErrors.push(err14);
        }
        errors++;
      }
      const _errs26 = errors;
      let valid10 = true;
      const _errs27 = errors;
      if (data && typeof data == "object" && !Array.isArray(data)) {
        let missing1;
        if ((data.type === void 0 || !func0.call(data, "type")) && (missing1 = "type")) {
          const err15 = {};
          if (vErrors === null) {
            vErrors = [err15];
          } else {
            vErrors.push(err15);
          }
          errors++;
        } else {
          if (data.type !== void 0 && func0.call(data, "type")) {
            if ("parallel" !== data.type) {
              const err16 = {};
              if (vErrors === null) {
                vErrors = [err16];
              } else {
                vErrors.push(err16);
              }
              errors++;
            }
          }
        }
      }
      var _valid3 = _errs27 === errors;
      errors = _errs26;
      if (vErrors !== null) {
        if (_errs26) {
          vErrors.length = _errs26;
        } else {
          vErrors = null;
        }
      }
      if (_valid3) {
        const _errs29 = errors;
        if (!validate32.call(this, data, { instancePath, parentData, parentDataProperty, rootData, dynamicAnchors })) {
          vErrors = vErrors === null ? validate32.errors : vErrors.concat(validate32.errors);
          errors = vErrors.length;
        }
        var _valid3 = _errs29 === errors;
        valid10 = _valid3;
        if (valid10) {
          var props1 = true;
        }
      }
      if (!valid10) {
        const err17 = { instancePath, schemaPath: "#/else/then/allOf/1/if", keyword: "if", params: { failingKeyword: "then" }, message: 'must match "then" schema', schema: schema46.else.then.allOf[1].if, parentSchema: schema46.else.then.allOf[1], data };
        if (vErrors === null) {
          vErrors = [err17];
        } else {
          vErrors.push(err17);
        }
        errors++;
      }
      if (props0 !== true && props1 !== void 0) {
        if (props1 === true) {
          props0 = true;
        } else {
          props0 = props0 || {};
          Object.assign(props0, props1);
        }
      }
      const _errs31 = errors;
      let valid12 = true;
      const _errs32 = errors;
      if (data && typeof data == "object" && !Array.isArray(data)) {
        let missing2;
        if ((data.type === void 0 || !func0.call(data, "type")) && (missing2 = "type")) {
          const err18 = {};
          if (vErrors === null) {
            vErrors = [err18];
          } else {
            vErrors.push(err18);
          }
          errors++;
        } else {
          if (data.type !== void 0 && func0.call(data, "type")) {
            if ("router" !== data.type) {
              const err19 = {};
              if (vErrors === null) {
                vErrors = [err19];
              } else {
                vErrors.push(err19);
              }
              errors++;
            }
          }
        }
      }
      var _valid4 = _errs32 === errors;
      errors = _errs31;
      if (vErrors !== null) {
        if (_errs31) {
          vErrors.length = _errs31;
        } else {
          vErrors = null;
        }
      }
      if (_valid4) {
        const _errs34 = errors;
        if (data && typeof data == "object" && !Array.isArray(data)) {
          if (data.type === void 0 || !func0.call(data, "type")) {
            const err20 = { instancePath, schemaPath: "#/$defs/router/required", keyword: "required", params: { missingProperty: "type" }, message: "must have required property 'type'", schema: schema51.required, parentSchema: schema51, data };
            if (vErrors === null) {
              vErrors = [err20];
            } else {
              vErrors.push(err20);
            }
            errors++;
          }
          if (data.routerUnit === void 0 || !func0.call(data, "routerUnit")) {
            const err21 = { instancePath, schemaPath: "#/$defs/router/required", keyword: "required", params: { missingProperty: "routerUnit" }, message: "must have required property 'routerUnit'", schema: schema51.required, parentSchema: schema51, data };
            if (vErrors === null) {
              vErrors = [err21];
            } else {
              vErrors.push(err21);
            }
            errors++;
          }
          if (data.routes === void 0 || !func0.call(data, "routes")) {
            const err22 = { instancePath, schemaPath: "#/$defs/router/required", keyword: "required", params: { missingProperty: "routes" }, message: "must have required property 'routes'", schema: schema51.required, parentSchema: schema51, data };
            if (vErrors === null) {
              vErrors = [err22];
            } else {
              vErrors.push(err22);
            }
            errors++;
          }
          for (const key1 of Object.keys(data)) {
            if (!(key1 === "type" || key1 === "routerUnit" || key1 === "routes" || key1 === "default")) {
              const err23 = { instancePath, schemaPath: "#/$defs/router/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key1 }, message: "must NOT have additional properties", schema: false, parentSchema: schema51, data };
              if (vErrors === null) {
                vErrors = [err23];
              } else {
                vErrors.push(err23);
              }
              errors++;
            }
          }
          if (data.type !== void 0 && func0.call(data, "type")) {
            let data6 = data.type;
            if ("router" !== data6) {
              const err24 = { instancePath: instancePath + "/type", schemaPath: "#/$defs/router/properties/type/const", keyword: "const", params: { allowedValue: "router" }, message: "must be equal to constant", schema: "router", parentSchema: schema51.properties.type, data: data6 };
              if (vErrors === null) {
                vErrors = [err24];
              } else {
                vErrors.push(err24);
              }
              errors++;
            }
          }
          if (data.routerUnit !== void 0 && func0.call(data, "routerUnit")) {
            this.push({ piece: "flow", pointer: instancePath + "/routerUnit", value: data.routerUnit });
          }
          if (data.routes !== void 0 && func0.call(data, "routes")) {
            let data8 = data.routes;
            if (data8 && typeof data8 == "object" && !Array.isArray(data8)) {
              if (Object.keys(data8).length > 2e4) {
                const err25 = { instancePath: instancePath + "/routes", schemaPath: "#/$defs/router/properties/routes/maxProperties", keyword: "maxProperties", params: { limit: 2e4 }, message: "must NOT have more than 20000 properties", schema: 2e4, parentSchema: schema51.properties.routes, data: data8 };
                if (vErrors === null) {
                  vErrors = [err25];
                } else {
                  vErrors.push(err25);
                }
                errors++;
              }
              if (Object.keys(data8).length < 1) {
                const err26 = { instancePath: instancePath + "/routes", schemaPath: "#/$defs/router/properties/routes/minProperties", keyword: "minProperties", params: { limit: 1 }, message: "must NOT have fewer than 1 properties", schema: 1, parentSchema: schema51.properties.routes, data: data8 };
                if (vErrors === null) {
                  vErrors = [err26];
                } else {
                  vErrors.push(err26);
                }
                errors++;
              }
              for (const key2 of Object.keys(data8)) {
                this.push({ piece: "flow", pointer: instancePath + "/routes/" + key2.replace(/~/g, "~0").replace(/\//g, "~1"), value: data8[key2] });
              }
            } else {
              const err27 = { instancePath: instancePath + "/routes", schemaPath: "#/$defs/router/properties/routes/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema51.properties.routes.type, parentSchema: schema51.properties.routes, data: data8 };
              if (vErrors === null) {
                vErrors = [err27];
              } else {
                vErrors.push(err27);
              }
              errors++;
            }
          }
          if (data.default !== void 0 && func0.call(data, "default")) {
            this.push({ piece: "flow", pointer: instancePath + "/default", value: data.default });
          }
        } else {
          const err28 = { instancePath, schemaPath: "#/$defs/router/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema51.type, parentSchema: schema51, data };
          if (vErrors === null) {
            vErrors = [err28];
          } else {
            vErrors.push(err28);
          }
          errors++;
        }
        var _valid4 = _errs34 === errors;
        valid12 = _valid4;
        if (valid12) {
          var props2 = true;
        }
      }
      if (!valid12) {
        const err29 = { instancePath, schemaPath: "#/else/then/allOf/2/if", keyword: "if", params: { failingKeyword: "then" }, message: 'must match "then" schema', schema: schema46.else.then.allOf[2].if, parentSchema: schema46.else.then.allOf[2], data };
        if (vErrors === null) {
          vErrors = [err29];
        } else {
          vErrors.push(err29);
        }
        errors++;
      }
      if (props0 !== true && props2 !== void 0) {
        if (props2 === true) {
          props0 = true;
        } else {
          props0 = props0 || {};
          Object.assign(props0, props2);
        }
      }
      const _errs46 = errors;
      let valid17 = true;
      const _errs47 = errors;
      if (data && typeof data == "object" && !Array.isArray(data)) {
        let missing3;
        if ((data.type === void 0 || !func0.call(data, "type")) && (missing3 = "type")) {
          const err30 = {};
          if (vErrors === null) {
            vErrors = [err30];
          } else {
            vErrors.push(err30);
          }
          errors++;
        } else {
          if (data.type !== void 0 && func0.call(data, "type")) {
            if ("switch" !== data.type) {
              const err31 = {};
              if (vErrors === null) {
                vErrors = [err31];
              } else {
                vErrors.push(err31);
              }
              errors++;
            }
          }
        }
      }
      var _valid5 = _errs47 === errors;
      errors = _errs46;
      if (vErrors !== null) {
        if (_errs46) {
          vErrors.length = _errs46;
        } else {
          vErrors = null;
        }
      }
      if (_valid5) {
        const _errs49 = errors;
        if (!validate34.call(this, data, { instancePath, parentData, parentDataProperty, rootData, dynamicAnchors })) {
          vErrors = vErrors === null ? validate34.errors : vErrors.concat(validate34.errors);
          errors = vErrors.length;
        }
        var _valid5 = _errs49 === errors;
        valid17 = _valid5;
        if (valid17) {
          var props3 = true;
        }
      }
      if (!valid17) {
        const err32 = { instancePath, schemaPath: "#/else/then/allOf/3/if", keyword: "if", params: { failingKeyword: "then" }, message: 'must match "then" schema', schema: schema46.else.then.allOf[3].if, parentSchema: schema46.else.then.allOf[3], data };
        if (vErrors === null) {
          vErrors = [err32];
        } else {
          vErrors.push(err32);
        }
        errors++;
      }
      if (props0 !== true && props3 !== void 0) {
        if (props3 === true) {
          props0 = true;
        } else {
          props0 = props0 || {};
          Object.assign(props0, props3);
        }
      }
      const _errs51 = errors;
      let valid19 = true;
      const _errs52 = errors;
      if (data && typeof data == "object" && !Array.isArray(data)) {
        let missing4;
        if ((data.type === void 0 || !func0.call(data, "type")) && (missing4 = "type")) {
          const err33 = {};
          if (vErrors === null) {
            vErrors = [err33];
          } else {
            vErrors.push(err33);
          }
          errors++;
        } else {
          if (data.type !== void 0 && func0.call(data, "type")) {
            if ("loop" !== data.type) {
              const err34 = {};
              if (vErrors === null) {
                vErrors = [err34];
              } else {
                vErrors.push(err34);
              }
              errors++;
            }
          }
        }
      }
      var _valid6 = _errs52 === errors;
      errors = _errs51;
      if (vErrors !== null) {
        if (_errs51) {
          vErrors.length = _errs51;
        } else {
          vErrors = null;
        }
      }
      if (_valid6) {
        const _errs54 = errors;
        if (!validate36.call(this, data, { instancePath, parentData, parentDataProperty, rootData, dynamicAnchors })) {
          vErrors = vErrors === null ? validate36.errors : vErrors.concat(validate36.errors);
          errors = vErrors.length;
        }
        var _valid6 = _errs54 === errors;
        valid19 = _valid6;
        if (valid19) {
          var props4 = true;
        }
      }
      if (!valid19) {
        const err35 = { instancePath, schemaPath: "#/else/then/allOf/4/if", keyword: "if", params: { failingKeyword: "then" }, message: 'must match "then" schema', schema: schema46.else.then.allOf[4].if, parentSchema: schema46.else.then.allOf[4], data };
        if (vErrors === null) {
          vErrors = [err35];
        } else {
          vErrors.push(err35);
        }
        errors++;
      }
      if (props0 !== true && props4 !== void 0) {
        if (props4 === true) {
          props0 = true;
        } else {
          props0 = props0 || {};
          Object.assign(props0, props4);
        }
      }
      const _errs56 = errors;
      let valid21 = true;
      const _errs57 = errors;
      if (data && typeof data == "object" && !Array.isArray(data)) {
        let missing5;
        if ((data.type === void 0 || !func0.call(data, "type")) && (missing5 = "type")) {
          const err36 = {};
          if (vErrors === null) {
            vErrors = [err36];
          } else {
            vErrors.push(err36);
          }
          errors++;
        } else {
          if (data.type !== void 0 && func0.call(data, "type")) {
            if ("foreach" !== data.type) {
              const err37 = {};
              if (vErrors === null) {
                vErrors = [err37];
              } else {
                vErrors.push(err37);
              }
              errors++;
            }
          }
        }
      }
      var _valid7 = _errs57 === errors;
      errors = _errs56;
      if (vErrors !== null) {
        if (_errs56) {
          vErrors.length = _errs56;
        } else {
          vErrors = null;
        }
      }
      if (_valid7) {
        const _errs59 = errors;
        if (!validate38.call(this, data, { instancePath, parentData, parentDataProperty, rootData, dynamicAnchors })) {
          vErrors = vErrors === null ? validate38.errors : vErrors.concat(validate38.errors);
          errors = vErrors.length;
        }
        var _valid7 = _errs59 === errors;
        valid21 = _valid7;
        if (valid21) {
          var props5 = true;
        }
      }
      if (!valid21) {
        const err38 = { instancePath, schemaPath: "#/else/then/allOf/5/if", keyword: "if", params: { failingKeyword: "then" }, message: 'must match "then" schema', schema: schema46.else.then.allOf[5].if, parentSchema: schema46.else.then.allOf[5], data };
        if (vErrors === null) {
          vErrors = [err38];
        } else {
          vErrors.push(err38);
        }
        errors++;
      }
      if (props0 !== true && props5 !== void 0) {
        if (props5 === true) {
          props0 = true;
        } else {
          props0 = props0 || {};
          Object.assign(props0, props5);
        }
      }
      const _errs61 = errors;
      let valid23 = true;
      const _errs62 = errors;
      if (data && typeof data == "object" && !Array.isArray(data)) {
        let missing6;
        if ((data.type === void 0 || !func0.call(data, "type")) && (missing6 = "type")) {
          const err39 = {};
          if (vErrors === null) {
            vErrors = [err39];
          } else {
            vErrors.push(err39);
          }
          errors++;
        } else {
          if (data.type !== void 0 && func0.call(data, "type")) {
            if ("dag" !== data.type) {
              const err40 = {};
              if (vErrors === null) {
                vErrors = [err40];
              } else {
                vErrors.push(err40);
              }
              errors++;
            }
          }
        }
      }
      var _valid8 = _errs62 === errors;
      errors = _errs61;
      if (vErrors !== null) {
        if (_errs61) {
          vErrors.length = _errs61;
        } else {
          vErrors = null;
        }
      }
      if (_valid8) {
        const _errs64 = errors;
        if (!validate40.call(this, data, { instancePath, parentData, parentDataProperty, rootData, dynamicAnchors })) {
          vErrors = vErrors === null ? validate40.errors : vErrors.concat(validate40.errors);
          errors = vErrors.length;
        }
        var _valid8 = _errs64 === errors;
        valid23 = _valid8;
        if (valid23) {
          var props6 = true;
        }
      }
      if (!valid23) {
        const err41 = { instancePath, schemaPath: "#/else/then/allOf/6/if", keyword: "if", params: { failingKeyword: "then" }, message: 'must match "then" schema', schema: schema46.else.then.allOf[6].if, parentSchema: schema46.else.then.allOf[6], data };
        if (vErrors === null) {
          vErrors = [err41];
        } else {
          vErrors.push(err41);
        }
        errors++;
      }
      if (props0 !== true && props6 !== void 0) {
        if (props6 === true) {
          props0 = true;
        } else {
          props0 = props0 || {};
          Object.assign(props0, props6);
        }
      }
      const _errs66 = errors;
      let valid25 = true;
      const _errs67 = errors;
      if (data && typeof data == "object" && !Array.isArray(data)) {
        let missing7;
        if ((data.type === void 0 || !func0.call(data, "type")) && (missing7 = "type")) {
          const err42 = {};
          if (vErrors === null) {
            vErrors = [err42];
          } else {
            vErrors.push(err42);
          }
          errors++;
        } else {
          if (data.type !== void 0 && func0.call(data, "type")) {
            if ("delegation" !== data.type) {
              const err43 = {};
              if (vErrors === null) {
                vErrors = [err43];
              } else {
                vErrors.push(err43);
              }
              errors++;
            }
          }
        }
      }
      var _valid9 = _errs67 === errors;
      errors = _errs66;
      if (vErrors !== null) {
        if (_errs66) {
          vErrors.length = _errs66;
        } else {
          vErrors = null;
        }
      }
      if (_valid9) {
        const _errs69 = errors;
        if (data && typeof data == "object" && !Array.isArray(data)) {
          if (data.type === void 0 || !func0.call(data, "type")) {
            const err44 = { instancePath, schemaPath: "#/$defs/delegation/required", keyword: "required", params: { missingProperty: "type" }, message: "must have required property 'type'", schema: schema64.required, parentSchema: schema64, data };
            if (vErrors === null) {
              vErrors = [err44];
            } else {
              vErrors.push(err44);
            }
            errors++;
          }
          if (data.orchestrator === void 0 || !func0.call(data, "orchestrator")) {
            const err45 = { instancePath, schemaPath: "#/$defs/delegation/required", keyword: "required", params: { missingProperty: "orchestrator" }, message: "must have required property 'orchestrator'", schema: schema64.required, parentSchema: schema64, data };
            if (vErrors === null) {
              vErrors = [err45];
            } else {
              vErrors.push(err45);
            }
            errors++;
          }
          if (data.specialists === void 0 || !func0.call(data, "specialists")) {
            const err46 = { instancePath, schemaPath: "#/$defs/delegation/required", keyword: "required", params: { missingProperty: "specialists" }, message: "must have required property 'specialists'", schema: schema64.required, parentSchema: schema64, data };
            if (vErrors === null) {
              vErrors = [err46];
            } else {
              vErrors.push(err46);
            }
            errors++;
          }
          for (const key3 of Object.keys(data)) {
            if (!(key3 === "type" || key3 === "orchestrator" || key3 === "specialists" || key3 === "maxRounds")) {
              const err47 = { instancePath, schemaPath: "#/$defs/delegation/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key3 }, message: "must NOT have additional properties", schema: false, parentSchema: schema64, data };
              if (vErrors === null) {
                vErrors = [err47];
              } else {
                vErrors.push(err47);
              }
              errors++;
            }
          }
          if (data.type !== void 0 && func0.call(data, "type")) {
            let data16 = data.type;
            if ("delegation" !== data16) {
              const err48 = { instancePath: instancePath + "/type", schemaPath: "#/$defs/delegation/properties/type/const", keyword: "const", params: { allowedValue: "delegation" }, message: "must be equal to constant", schema: "delegation", parentSchema: schema64.properties.type, data: data16 };
              if (vErrors === null) {
                vErrors = [err48];
              } else {
                vErrors.push(err48);
              }
              errors++;
            }
          }
          if (data.orchestrator !== void 0 && func0.call(data, "orchestrator")) {
            this.push({ piece: "flow", pointer: instancePath + "/orchestrator", value: data.orchestrator });
          }
          if (data.specialists !== void 0 && func0.call(data, "specialists")) {
            let data18 = data.specialists;
            if (Array.isArray(data18)) {
              if (data18.length > 2e4) {
                const err49 = { instancePath: instancePath + "/specialists", schemaPath: "#/$defs/delegation/properties/specialists/maxItems", keyword: "maxItems", params: { limit: 2e4 }, message: "must NOT have more than 20000 items", schema: 2e4, parentSchema: schema64.properties.specialists, data: data18 };
                if (vErrors === null) {
                  vErrors = [err49];
                } else {
                  vErrors.push(err49);
                }
                errors++;
              }
              if (data18.length < 1) {
                const err50 = { instancePath: instancePath + "/specialists", schemaPath: "#/$defs/delegation/properties/specialists/minItems", keyword: "minItems", params: { limit: 1 }, message: "must NOT have fewer than 1 items", schema: 1, parentSchema: schema64.properties.specialists, data: data18 };
                if (vErrors === null) {
                  vErrors = [err50];
                } else {
                  vErrors.push(err50);
                }
                errors++;
              }
              const len1 = data18.length;
              for (let i1 = 0; i1 < len1; i1++) {
                this.push({ piece: "flow", pointer: instancePath + "/specialists/" + i1, value: data18[i1] });
              }
            } else {
              const err51 = { instancePath: instancePath + "/specialists", schemaPath: "#/$defs/delegation/properties/specialists/type", keyword: "type", params: { type: "array" }, message: "must be array", schema: schema64.properties.specialists.type, parentSchema: schema64.properties.specialists, data: data18 };
              if (vErrors === null) {
                vErrors = [err51];
              } else {
                vErrors.push(err51);
              }
              errors++;
            }
          }
          if (data.maxRounds !== void 0 && func0.call(data, "maxRounds")) {
            let data20 = data.maxRounds;
            if (!(typeof data20 == "number" && (!(data20 % 1) && !isNaN(data20)) && isFinite(data20))) {
              const err52 = { instancePath: instancePath + "/maxRounds", schemaPath: "#/$defs/delegation/properties/maxRounds/type", keyword: "type", params: { type: "integer" }, message: "must be integer", schema: schema64.properties.maxRounds.type, parentSchema: schema64.properties.maxRounds, data: data20 };
              if (vErrors === null) {
                vErrors = [err52];
              } else {
                vErrors.push(err52);
              }
              errors++;
            }
            if (typeof data20 == "number" && isFinite(data20)) {
              if (data20 > 1e6 || isNaN(data20)) {
                const err53 = { instancePath: instancePath + "/maxRounds", schemaPath: "#/$defs/delegation/properties/maxRounds/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e6 }, message: "must be <= 1000000", schema: 1e6, parentSchema: schema64.properties.maxRounds, data: data20 };
                if (vErrors === null) {
                  vErrors = [err53];
                } else {
                  vErrors.push(err53);
                }
                errors++;
              }
              if (data20 < 1 || isNaN(data20)) {
                const err54 = { instancePath: instancePath + "/maxRounds", schemaPath: "#/$defs/delegation/properties/maxRounds/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1", schema: 1, parentSchema: schema64.properties.maxRounds, data: data20 };
                if (vErrors === null) {
                  vErrors = [err54];
                } else {
                  vErrors.push(err54);
                }
                errors++;
              }
            }
          }
        } else {
          const err55 = { instancePath, schemaPath: "#/$defs/delegation/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema64.type, parentSchema: schema64, data };
          if (vErrors === null) {
            vErrors = [err55];
          } else {
            vErrors.push(err55);
          }
          errors++;
        }
        var _valid9 = _errs69 === errors;
        valid25 = _valid9;
        if (valid25) {
          var props7 = true;
        }
      }
      if (!valid25) {
        const err56 = { instancePath, schemaPath: "#/else/then/allOf/7/if", keyword: "if", params: { failingKeyword: "then" }, message: 'must match "then" schema', schema: schema46.else.then.allOf[7].if, parentSchema: schema46.else.then.allOf[7], data };
        if (vErrors === null) {
          vErrors = [err56];
        } else {
          vErrors.push(err56);
        }
        errors++;
      }
      if (props0 !== true && props7 !== void 0) {
        if (props7 === true) {
          props0 = true;
        } else {
          props0 = props0 || {};
          Object.assign(props0, props7);
        }
      }
      if (data && typeof data == "object" && !Array.isArray(data)) {
        if (data.type === void 0 || !func0.call(data, "type")) {
          const err57 = { instancePath, schemaPath: "#/else/then/required", keyword: "required", params: { missingProperty: "type" }, message: "must have required property 'type'", schema: schema46.else.then.required, parentSchema: schema46.else.then, data };
          if (vErrors === null) {
            vErrors = [err57];
          } else {
            vErrors.push(err57);
          }
          errors++;
        }
        if (props0 !== true) {
          props0 = props0 || {};
          props0.type = true;
        }
        if (data.type !== void 0 && func0.call(data, "type")) {
          let data21 = data.type;
          if (!(data21 === "sequential" || data21 === "parallel" || data21 === "router" || data21 === "switch" || data21 === "loop" || data21 === "foreach" || data21 === "dag" || data21 === "delegation")) {
            const err58 = { instancePath: instancePath + "/type", schemaPath: "#/else/then/properties/type/enum", keyword: "enum", params: { allowedValues: schema46.else.then.properties.type.enum }, message: "must be equal to one of the allowed values", schema: schema46.else.then.properties.type.enum, parentSchema: schema46.else.then.properties.type, data: data21 };
            if (vErrors === null) {
              vErrors = [err58];
            } else {
              vErrors.push(err58);
            }
            errors++;
          }
        }
      }
      var _valid1 = _errs12 === errors;
      valid2 = _valid1;
    }
    if (!valid2) {
      const err59 = { instancePath, schemaPath: "#/else/if", keyword: "if", params: { failingKeyword: "then" }, message: 'must match "then" schema', schema: schema46.else.if, parentSchema: schema46.else, data };
      if (vErrors === null) {
        vErrors = [err59];
      } else {
        vErrors.push(err59);
      }
      errors++;
    }
    var _valid0 = _errs8 === errors;
    valid0 = _valid0;
    ifClause0 = "else";
  }
  if (!valid0) {
    const err60 = { instancePath, schemaPath: "#/if", keyword: "if", params: { failingKeyword: ifClause0 }, message: 'must match "' + ifClause0 + '" schema', schema: schema46.if, parentSchema: schema46, data };
    if (vErrors === null) {
      vErrors = [err60];
    } else {
      vErrors.push(err60);
    }
    errors++;
  }
  validate31.errors = vErrors;
  evaluated0.props = props0;
  return errors === 0;
}
validate31.evaluated = { "dynamicProps": true, "dynamicItems": false };
function validate30(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null;
  let errors = 0;
  const evaluated0 = validate30.evaluated;
  if (evaluated0.dynamicProps) {
    evaluated0.props = void 0;
  }
  if (evaluated0.dynamicItems) {
    evaluated0.items = void 0;
  }
  if (!validate31.call(this, data, { instancePath, parentData, parentDataProperty, rootData, dynamicAnchors })) {
    vErrors = vErrors === null ? validate31.errors : vErrors.concat(validate31.errors);
    errors = vErrors.length;
  } else {
    var props0 = validate31.evaluated.props;
  }
  validate30.errors = vErrors;
  evaluated0.props = props0;
  return errors === 0;
}
validate30.evaluated = { "dynamicProps": true, "dynamicItems": false };
export {
  document,
  flow,
  unit
};
