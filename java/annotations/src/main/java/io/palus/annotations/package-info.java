/**
 * What users may write into their own test code to help Palus. Runs wherever the user's classes
 * run; Java 8, without dependencies. Entry: {@link io.palus.annotations.ParamValue}.
 */
package io.palus.annotations;
