// SPDX-License-Identifier: Apache-2.0
// What events refer to. Names and fields are JFR's own, in the layout of JDK 25: readers bind them by name.
#include "format/writer/metadata_schema.h"

namespace jfr {
namespace {

constexpr Field kText[] = {value("value", TypeId::kString)};
constexpr Field kTexts[] = {array("value", TypeId::kString)};

constexpr Field kThread[] = {
    value("osName", TypeId::kString, "OS Thread Name"),      value("osThreadId", TypeId::kLong, "OS Thread Id"),
    value("javaName", TypeId::kString, "Java Thread Name"),  value("javaThreadId", TypeId::kLong, "Java Thread Id"),
    ref("group", TypeId::kThreadGroup, "Java Thread Group"), value("virtual", TypeId::kBoolean, "Virtual Thread"),
};
constexpr Field kThreadGroup[] = {ref("parent", TypeId::kThreadGroup, "Parent"),
                                  value("name", TypeId::kString, "Name")};
constexpr Field kClass[] = {
    ref("classLoader", TypeId::kClassLoader, "Class Loader"),
    ref("name", TypeId::kSymbol, "Name"),
    ref("package", TypeId::kPackage, "Package"),
    value("modifiers", TypeId::kInt, "Access Modifiers"),
    value("hidden", TypeId::kBoolean, "Hidden"),
};
constexpr Field kClassLoader[] = {ref("type", TypeId::kClass, "Type"), ref("name", TypeId::kSymbol, "Name")};
constexpr Field kMethod[] = {
    ref("type", TypeId::kClass, "Type"),
    ref("name", TypeId::kSymbol, "Name"),
    ref("descriptor", TypeId::kSymbol, "Descriptor"),
    value("modifiers", TypeId::kInt, "Access Modifiers"),
    value("hidden", TypeId::kBoolean, "Hidden"),
};
constexpr Field kSymbol[] = {value("string", TypeId::kString, "String")};
constexpr Field kThreadState[] = {value("name", TypeId::kString, "Name")};
constexpr Field kModule[] = {
    ref("name", TypeId::kSymbol, "Name"),
    ref("version", TypeId::kSymbol, "Version"),
    ref("location", TypeId::kSymbol, "Location"),
    ref("classLoader", TypeId::kClassLoader, "Class Loader"),
};
constexpr Field kPackage[] = {
    ref("name", TypeId::kSymbol, "Name"),
    ref("module", TypeId::kModule, "Module"),
    value("exported", TypeId::kBoolean, "Exported"),
};
constexpr Field kStackTrace[] = {
    value("truncated", TypeId::kBoolean, "Truncated"),
    array("frames", TypeId::kStackFrame, "Stack Frames"),
};
constexpr Field kStackFrame[] = {
    ref("method", TypeId::kMethod, "Java Method"),
    value("lineNumber", TypeId::kInt, "Line Number"),
    value("bytecodeIndex", TypeId::kInt, "Bytecode Index"),
    ref("type", TypeId::kFrameType, "Frame Type"),
};
constexpr Field kFrameType[] = {value("description", TypeId::kString, "Description")};
constexpr Field kGcName[] = {value("name", TypeId::kString, "Name")};
constexpr Field kGcCause[] = {value("cause", TypeId::kString, "Cause")};
constexpr Field kGcWhen[] = {value("when", TypeId::kString, "When")};

constexpr Field kOldObject[] = {
    value("address", TypeId::kLong, "Memory Address").no_sign().with({AnnotationId::kMemoryAddress}),
    ref("type", TypeId::kClass, "Java Class"),
    value("description", TypeId::kString, "Object Description"),
    ref("referrer", TypeId::kOldObjectReference, "Referrer Object"),
};
constexpr Field kOldObjectReference[] = {
    ref("array", TypeId::kOldObjectArray, "Array Information"),
    ref("field", TypeId::kOldObjectField, "Field Information"),
    ref("object", TypeId::kOldObject, "Object"),
    value("skip", TypeId::kInt, "Skip Value"),
};
constexpr Field kOldObjectArray[] = {value("size", TypeId::kInt, "Array Size"), value("index", TypeId::kInt, "Index")};
constexpr Field kOldObjectField[] = {value("name", TypeId::kString, "Field"),
                                     value("modifiers", TypeId::kShort, "Field Modifiers")};
constexpr Field kOldObjectGcRoot[] = {
    value("description", TypeId::kString, "Root Description"),
    value("system", TypeId::kString, "System"),
    value("type", TypeId::kString, "Type"),
};

constexpr Type annotation(AnnotationId id, std::string_view name, std::span<const Field> fields = {},
                          AnnotationId mark = AnnotationId::kNone) {
  return {.name = name, .id = static_cast<uint32_t>(id), .kind = Kind::kAnnotation, .fields = fields, .mark = mark};
}
constexpr Type constant(TypeId id, std::string_view name, std::span<const Field> fields, std::string_view label = {}) {
  return {name, static_cast<uint32_t>(id), Kind::kStruct, fields, label};
}
constexpr Type simple(TypeId id, std::string_view name, std::span<const Field> fields, std::string_view label = {}) {
  return {name, static_cast<uint32_t>(id), Kind::kSimple, fields, label};
}
constexpr Type primitive(TypeId id, std::string_view name) {
  return {name, static_cast<uint32_t>(id), Kind::kPrimitive};
}

constexpr Type kTypes[] = {
    annotation(AnnotationId::kLabel, "jdk.jfr.Label", kText),
    annotation(AnnotationId::kDescription, "jdk.jfr.Description", kText),
    annotation(AnnotationId::kCategory, "jdk.jfr.Category", kTexts),
    annotation(AnnotationId::kExperimental, "jdk.jfr.Experimental"),
    annotation(AnnotationId::kContentType, "jdk.jfr.ContentType"),
    annotation(AnnotationId::kRelational, "jdk.jfr.Relational"),
    annotation(AnnotationId::kTimestamp, "jdk.jfr.Timestamp", kText, AnnotationId::kContentType),
    annotation(AnnotationId::kTimespan, "jdk.jfr.Timespan", kText, AnnotationId::kContentType),
    annotation(AnnotationId::kDataAmount, "jdk.jfr.DataAmount", kText, AnnotationId::kContentType),
    annotation(AnnotationId::kPercentage, "jdk.jfr.Percentage", {}, AnnotationId::kContentType),
    annotation(AnnotationId::kMemoryAddress, "jdk.jfr.MemoryAddress", {}, AnnotationId::kContentType),
    annotation(AnnotationId::kUnsigned, "jdk.jfr.Unsigned", {}, AnnotationId::kContentType),
    annotation(AnnotationId::kFrequency, "jdk.jfr.Frequency", {}, AnnotationId::kContentType),
    annotation(AnnotationId::kGcId, "jdk.types.GcId", {}, AnnotationId::kRelational),

    constant(TypeId::kThread, "java.lang.Thread", kThread, "Thread"),
    constant(TypeId::kThreadGroup, "jdk.types.ThreadGroup", kThreadGroup, "Thread Group"),
    constant(TypeId::kClass, "java.lang.Class", kClass, "Java Class"),
    constant(TypeId::kClassLoader, "jdk.types.ClassLoader", kClassLoader, "Java Class Loader"),
    constant(TypeId::kMethod, "jdk.types.Method", kMethod, "Java Method"),
    simple(TypeId::kSymbol, "jdk.types.Symbol", kSymbol, "Symbol"),
    simple(TypeId::kThreadState, "jdk.types.ThreadState", kThreadState, "Java Thread State"),
    constant(TypeId::kModule, "jdk.types.Module", kModule, "Module"),
    constant(TypeId::kPackage, "jdk.types.Package", kPackage, "Package"),
    constant(TypeId::kStackTrace, "jdk.types.StackTrace", kStackTrace, "Stack Trace"),
    constant(TypeId::kStackFrame, "jdk.types.StackFrame", kStackFrame),
    simple(TypeId::kFrameType, "jdk.types.FrameType", kFrameType, "Frame Type"),
    simple(TypeId::kGcName, "jdk.types.GCName", kGcName, "GC Name"),
    simple(TypeId::kGcCause, "jdk.types.GCCause", kGcCause, "GC Cause"),
    simple(TypeId::kGcWhen, "jdk.types.GCWhen", kGcWhen, "GC When"),
    constant(TypeId::kOldObject, "jdk.types.OldObject", kOldObject, "Old Object"),
    constant(TypeId::kOldObjectReference, "jdk.types.Reference", kOldObjectReference, "Reference"),
    constant(TypeId::kOldObjectArray, "jdk.types.OldObjectArray", kOldObjectArray, "Old Object Array"),
    constant(TypeId::kOldObjectField, "jdk.types.OldObjectField", kOldObjectField, "Old Object Field"),
    constant(TypeId::kOldObjectGcRoot, "jdk.types.OldObjectGcRoot", kOldObjectGcRoot, "GC Root"),

    primitive(TypeId::kBoolean, "boolean"),
    primitive(TypeId::kByte, "byte"),
    primitive(TypeId::kChar, "char"),
    primitive(TypeId::kShort, "short"),
    primitive(TypeId::kInt, "int"),
    primitive(TypeId::kLong, "long"),
    primitive(TypeId::kFloat, "float"),
    primitive(TypeId::kDouble, "double"),
    primitive(TypeId::kString, "java.lang.String"),
};

}  // namespace

std::span<const Type> constant_types() { return kTypes; }

}  // namespace jfr
