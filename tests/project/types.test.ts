// One suite for both, because the compiler takes seconds to read the project.
import "./exports";
import "./fieldTables";
import "./hover";
